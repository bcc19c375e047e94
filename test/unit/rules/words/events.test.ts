import { eventInWords, type EventNames, instancesToName, movedInstanceOf } from '../../../../rules/words/events';

const web = '5e55aaaa-0000-4000-8000-000000000001';
const upf = '5e55bbbb-0000-4000-8000-000000000002';

const named: EventNames = {
  project: (id) => (id === web ? 'web' : undefined),
  instance: (id) => (id === upf ? 'upf-3' : undefined),
  move: (id) => (id === upf ? { target: 'node-r2-09', seconds: 8.2 } : undefined),
};
const link = `http://parley/v1/maintenance/5e55/${web}`;

it.each<{ type: string; payload: object; known?: EventNames; words: string }>([
  {
    type: 'host',
    payload: { host: 'node-1', state: 'IN_MAINTENANCE' },
    words: 'node-1 is empty: its maintenance begins',
  },
  { type: 'host', payload: { host: 'node-1', state: 'MAINTENANCE_COMPLETE' }, words: 'node-1 is maintained and back' },
  { type: 'host', payload: { host: 'node-1', state: 'NEW_STATE' }, words: 'node-1 new state' },
  {
    type: 'session',
    payload: { state: 'PLANNED_MAINTENANCE', percent_done: 40 },
    words: 'the session is at planned maintenance; 40 % done',
  },
  {
    type: 'session',
    payload: { state: 'MAINTENANCE_DONE', percent_done: 100 },
    words: 'the session is done; 100 % done',
  },
  {
    type: 'session',
    payload: { state: 'MAINTENANCE_FAILED', percent_done: 10, failure: 'no room' },
    words: 'the session has failed: no room; 10 % done',
  },
  {
    type: 'planned',
    payload: { state: 'MAINTENANCE', project_id: web, instance_ids: link },
    words: 'web is asked whether the session may begin',
  },
  {
    type: 'planned',
    payload: { state: 'PLANNED_MAINTENANCE', project_id: web, instance_ids: [upf], answered_by: 'terms' },
    words: 'web is asked how upf-3 may leave, which its terms answer',
  },
  {
    type: 'planned',
    payload: { state: 'PLANNED_MAINTENANCE', project_id: web, instance_ids: [upf] },
    known: {},
    words: 'project 5e55aaaa is asked how 5e55bbbb may leave',
  },
  {
    type: 'planned',
    payload: { state: 'SCALE_IN', project_id: web, instance_ids: '' },
    words: 'web is asked to scale in',
  },
  {
    type: 'planned',
    payload: { state: 'PREPARE_MAINTENANCE', project_id: web, instance_ids: [upf, 'a', 'b', 'c'] },
    words: 'web is asked how 4 instances may leave, before the maintenance',
  },
  {
    type: 'planned',
    payload: { state: 'INSTANCE_ACTION_DONE', project_id: web, instance_ids: [upf] },
    words: 'upf-3 of web moved to node-r2-09 in 8s',
  },
  {
    type: 'planned',
    payload: { state: 'INSTANCE_ACTION_DONE', project_id: web, instance_ids: [upf] },
    known: {},
    words: '5e55bbbb of project 5e55aaaa moved',
  },
  {
    type: 'planned',
    payload: { state: 'INSTANCE_ACTION_FAILED', project_id: web, instance_ids: [upf], reason: 'no valid host' },
    words: 'upf-3 of web could not move: no valid host',
  },
  {
    type: 'planned',
    payload: { state: 'INSTANCE_ACTION_FALLBACK', project_id: web, instance_ids: [upf], reason: 'it took too long' },
    words: 'upf-3 of web moves in another way: it took too long',
  },
  {
    type: 'coming',
    payload: { project_id: web, coming: [{}, {}] },
    words: 'web is told what is coming for 2 instances',
  },
  {
    type: 'act',
    payload: { state: 'ACT', by: 'admin', who: 'Ada', did: 'paused the session', reason: 'no power' },
    words: 'Ada paused the session: no power',
  },
  {
    type: 'act',
    payload: { state: 'ACT', by: 'admin', who: null, did: 'skipped host node-1', reason: null },
    words: 'admin skipped host node-1',
  },
  { type: 'other', payload: { state: 'NEW' }, words: 'maintenance.other NEW' },
])('tells $type $payload.state as "$words"', ({ type, payload, known = named, words }) => {
  expect(eventInWords(`maintenance.${type}`, payload as Readonly<Record<string, unknown>>, known)).toBe(words);
});

it.each([
  { ids: 'a', named: ['a'] },
  { ids: ['a', 'b', 'c'], named: ['a', 'b', 'c'] },
  { ids: ['a', 'b', 'c', 'd'], named: [] },
  { ids: link, named: [] },
])('names are needed for $named of $ids', ({ ids, named: needed }) => {
  expect(instancesToName({ instance_ids: ids })).toEqual(needed);
});

it('the move of an instance is told by the event of its end alone', () => {
  expect(movedInstanceOf({ state: 'INSTANCE_ACTION_DONE', instance_ids: 'a' })).toBe('a');
  expect(movedInstanceOf({ state: 'PLANNED_MAINTENANCE', instance_ids: ['a'] })).toBeUndefined();
});
