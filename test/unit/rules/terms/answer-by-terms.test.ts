import { keyOf } from '../../../../rules/cloud/id';
import type { Terms } from '../../../../rules/cloud/terms';
import { answerByTerms, type AskedOfTerms, type KnownTerms } from '../../../../rules/terms/answer-by-terms';

const aboutTwo: AskedOfTerms = {
  projectId: 'project-1',
  state: 'PLANNED_MAINTENANCE',
  instanceIds: ['instance-1', 'instance-2'],
  allowedActions: ['LIVE_MIGRATE', 'MIGRATE', 'OWN_ACTION'],
};
const aboutSession = { ...aboutTwo, state: 'MAINTENANCE', allowedActions: [] };
const aboutCapacity = { ...aboutTwo, state: 'SCALE_IN', instanceIds: ['instance-1'], allowedActions: [] };
const unmovable = {
  ...aboutTwo,
  allowedActions: ['OWN_ACTION'] as const,
  cannotMove: { 'instance-1': 'it has a local disk', 'instance-2': 'it has a local disk' },
};

const known = (project: Terms | undefined, instances: Readonly<Record<string, readonly Terms[]>> = {}): KnownTerms => ({
  projects: new Map(project === undefined ? [] : [[keyOf('project-1'), project]]),
  instances: new Map(Object.entries(instances).map(([id, terms]) => [keyOf(id), terms])),
});

const live: Terms = { ask: 'never', answers: { PLANNED_MAINTENANCE: { action: 'LIVE_MIGRATE' } } };
const plain: Terms = { ask: 'never', answers: { PLANNED_MAINTENANCE: 'ACK' } };
const own: Terms = { ask: 'never', answers: { PLANNED_MAINTENANCE: { action: 'OWN_ACTION' } } };
const both = (action: string) => ({ 'instance-1': action, 'instance-2': action });

it.each<{ situation: string; asked: AskedOfTerms; terms: KnownTerms; expected: object | undefined }>([
  {
    situation: 'with the action of the project for all',
    asked: aboutTwo,
    terms: known(live),
    expected: { answer: 'ACK', actions: both('LIVE_MIGRATE'), atOnce: true },
  },
  {
    situation: 'with no action, which leaves it to the default',
    asked: aboutTwo,
    terms: known(plain),
    expected: { answer: 'ACK', actions: {}, atOnce: true },
  },
  {
    situation: 'only after silence where the terms do not say when to ask',
    asked: aboutTwo,
    terms: known({ answers: live.answers }),
    expected: { answer: 'ACK', actions: both('LIVE_MIGRATE'), atOnce: false },
  },
  {
    situation: 'at once within the hours of the instances, where it is asked outside of them alone',
    asked: { ...aboutTwo, isInHours: () => true },
    terms: known({ ...plain, ask: 'outside_hours' }),
    expected: { answer: 'ACK', actions: {}, atOnce: true },
  },
  {
    situation: 'only after silence outside of their hours',
    asked: { ...aboutTwo, isInHours: () => false },
    terms: known({ ...plain, ask: 'outside_hours' }),
    expected: { answer: 'ACK', actions: {}, atOnce: false },
  },
  {
    situation: 'with the nearest action of each instance',
    asked: aboutTwo,
    terms: known(live, { 'instance-1': [{ answers: { PLANNED_MAINTENANCE: { action: 'MIGRATE' } } }] }),
    expected: {
      answer: 'ACK',
      actions: { 'instance-1': 'MIGRATE', 'instance-2': 'LIVE_MIGRATE' },
      atOnce: true,
    },
  },
  {
    situation: 'with the instance before its group',
    asked: { ...aboutTwo, instanceIds: ['instance-1'] },
    terms: known(undefined, { 'instance-1': [{ answers: { PLANNED_MAINTENANCE: 'ACK' } }, live] }),
    expected: { answer: 'ACK', actions: {}, atOnce: true },
  },
  {
    situation: 'only after silence where one of the instances wants to be asked',
    asked: aboutTwo,
    terms: known(live, { 'instance-2': [{ ask: 'always' }] }),
    expected: { answer: 'ACK', actions: both('LIVE_MIGRATE'), atOnce: false },
  },
  {
    situation: 'for a first host as for the others',
    asked: { ...aboutTwo, state: 'PREPARE_MAINTENANCE' },
    terms: known(live),
    expected: { answer: 'ACK', actions: both('LIVE_MIGRATE'), atOnce: true },
  },
  {
    situation: 'for a first host by its own answer',
    asked: { ...aboutTwo, state: 'PREPARE_MAINTENANCE' },
    terms: known({ ...live, answers: { ...live.answers, PREPARE_MAINTENANCE: { action: 'MIGRATE' } } }),
    expected: { answer: 'ACK', actions: both('MIGRATE'), atOnce: true },
  },
  {
    situation: 'by an own action for what the cloud cannot move',
    asked: unmovable,
    terms: known(own),
    expected: { answer: 'ACK', actions: both('OWN_ACTION'), atOnce: true },
  },
  {
    situation: 'for the session',
    asked: aboutSession,
    terms: known({ ask: 'never', answers: { MAINTENANCE: 'ACK' } }),
    expected: { answer: 'ACK', actions: {}, atOnce: true },
  },
  {
    situation: 'that no capacity is freed, whatever the constraints of the named instance say',
    asked: aboutCapacity,
    terms: known({ ask: 'never', answers: { SCALE_IN: 'NACK' } }, { 'instance-1': [{ ask: 'always' }] }),
    expected: { answer: 'NACK', actions: {}, atOnce: true },
  },
  {
    situation: 'at the end of the session, which names no instance',
    asked: { ...aboutSession, state: 'MAINTENANCE_COMPLETE', instanceIds: [] },
    terms: known({ ask: 'never', answers: { MAINTENANCE_COMPLETE: 'ACK' } }),
    expected: { answer: 'ACK', actions: {}, atOnce: true },
  },
  { situation: 'nothing without terms', asked: aboutTwo, terms: known(undefined), expected: undefined },
  {
    situation: 'nothing where one instance has no answer',
    asked: aboutTwo,
    terms: known(undefined, { 'instance-1': [live] }),
    expected: undefined,
  },
  {
    situation: 'nothing by an action that is not offered',
    asked: { ...aboutTwo, allowedActions: ['MIGRATE'] },
    terms: known(live),
    expected: undefined,
  },
  {
    situation: 'nothing for what only its project can move, where nobody says that the project acts',
    asked: unmovable,
    terms: known(plain),
    expected: undefined,
  },
  {
    situation: 'nothing in a state of its own workflow',
    asked: { ...aboutTwo, state: 'WARM_UP' },
    terms: known(live),
    expected: undefined,
  },
])('terms answer $situation', ({ asked, terms, expected }) => {
  expect(answerByTerms(asked, terms)).toEqual(expected);
});
