import { type Owned, ownerInTerminal, ownerOnPage } from '../../../../rules/obstacles/owner';

const contact = { project_contact: 'mailto:web@example.org' };

it.each<{ situation: string; owned: Owned; onPage: string; inTerminal: string }>([
  {
    situation: 'with its name and its contact',
    owned: { owner: 'project', project_id: 'p-1', project_name: 'vepc', ...contact },
    onPage: 'project vepc (mailto:web@example.org)',
    inTerminal: 'project vepc (mailto:web@example.org)',
  },
  {
    situation: 'with the contact alone',
    owned: { owner: 'project', ...contact },
    onPage: 'the project (mailto:web@example.org)',
    inTerminal: 'project (mailto:web@example.org)',
  },
  { situation: 'without a contact', owned: { owner: 'project' }, onPage: 'the project', inTerminal: 'project' },
  {
    situation: 'as the admin, whatever the project says',
    owned: { owner: 'admin', project_id: 'p-1', ...contact },
    onPage: 'you',
    inTerminal: 'admin',
  },
])('an owner is named $situation', ({ owned, onPage, inTerminal }) => {
  expect(ownerOnPage(owned)).toBe(onPage);
  expect(ownerInTerminal(owned)).toBe(inTerminal);
});
