import { waitInWords } from '../../../../rules/words/waits';

const aWait = { subject: 'p1', subject_id: 'p1', subject_name: 'vepc' };

it.each([
  { what: 'an answer', wait: { waiting_for: 'answer' }, words: 'the answer of project vepc' },
  { what: 'the bus', wait: { waiting_for: 'bus' }, words: 'the message bus' },
  {
    what: 'the webhook of a project',
    wait: { waiting_for: 'bus', because: 'the webhook of the project has not taken the question' },
    words: 'the webhook of project vepc',
  },
  { what: 'its own turn', wait: { waiting_for: 'host', subject: 'h1', who: 'h1' }, words: 'its turn' },
  { what: 'a kind that is not known here', wait: { waiting_for: 'tide' }, words: 'tide vepc' },
])('a wait for $what in words', ({ wait, words }) => {
  expect(waitInWords({ ...aWait, ...wait })).toBe(words);
});
