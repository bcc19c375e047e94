import { type Owned, ownerInWords } from '../../../../rules/obstacles/owner';

const contact = { project_contact: 'mailto:web@example.org' };

it.each<{ situation: string; owned: Owned; words: string }>([
  {
    situation: 'with its name and its contact',
    owned: { owner: 'project', project_id: 'p-1', project_name: 'vepc', ...contact },
    words: 'the tenant vepc (mailto:web@example.org)',
  },
  {
    situation: 'with the contact alone',
    owned: { owner: 'project', ...contact },
    words: 'the tenant (mailto:web@example.org)',
  },
  { situation: 'without a contact', owned: { owner: 'project' }, words: 'the tenant' },
  {
    situation: 'as the admin, whatever the project says',
    owned: { owner: 'admin', project_id: 'p-1', ...contact },
    words: 'you',
  },
  { situation: 'where only the cloud team can act', owned: { owner: 'operator' }, words: 'the cloud team' },
  { situation: 'where nobody has to act', owned: { owner: 'service' }, words: 'nobody' },
])('an owner is named $situation', ({ owned, words }) => {
  expect(ownerInWords(owned)).toBe(words);
});

it('what nobody has to end does not end by itself while the service is not ready', () => {
  expect(ownerInWords({ owner: 'service' }, false)).toBe('whoever makes the service ready again');
  expect(ownerInWords({ owner: 'operator' }, false)).toBe('the cloud team');
});
