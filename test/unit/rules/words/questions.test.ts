import { questionInWords, type QuestionToTell } from '../../../../rules/words/questions';

const ids = ['1', '2', '3', '4', '5'].map((digit) => `c000000${digit}-0000-4000-8000-000000000001`);
const [first = ''] = ids;
const known = (id: string, at: number) => ({ instance_id: id, instance_name: `web-${at + 1}`, host: 'compute-1' });
const instances = ids.map(known);
const whole: QuestionToTell = { state: 'MAINTENANCE', hostname: null, instance_id: null, instance_ids: [] };
const hidden = { ...instances[0]!, host: null };

it.each<{ about: string; question: Partial<QuestionToTell>; words: string }>([
  {
    about: 'all instances of a project, of which the first are named',
    question: { instance_ids: ids, instances },
    words: 'the whole session, 5 instances: web-1 on compute-1, web-2 on compute-1, web-3 on compute-1 and 2 more',
  },
  {
    about: 'the instances on a host',
    question: { hostname: 'compute-1', instance_ids: [first], instances },
    words: 'host compute-1, 1 instance: web-1',
  },
  {
    about: 'one instance',
    question: { instance_id: first, instance_ids: [first], instances },
    words: 'instance web-1 on compute-1',
  },
  {
    about: 'one instance, whose host its project does not learn',
    question: { instance_id: first, instance_ids: [first], instances: [hidden] },
    words: 'instance web-1',
  },
  { about: 'one that an older service does not name', question: { instance_id: first }, words: 'instance c0000001' },
  {
    about: 'the end, where no instance is named',
    question: { state: 'MAINTENANCE_COMPLETE' },
    words: 'the end of the session',
  },
  { about: 'capacity', question: { state: 'SCALE_IN' }, words: 'capacity for the session to go on' },
  {
    about: 'capacity, by an instance that would help most',
    question: { state: 'SCALE_IN', instance_ids: [first], instances },
    words: 'capacity for the session to go on, 1 instance: web-1 on compute-1',
  },
])('says what a question is about: $about', ({ question, words }) => {
  expect(questionInWords({ ...whole, ...question })).toBe(words);
});
