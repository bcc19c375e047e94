import { violations } from '../../integration/faults/violations';
import type { LoggedMove, SeenEvents, WhatHappened } from '../../integration/faults/what-happened';

const at = (seconds: number): Date => new Date(Date.UTC(2026, 0, 1, 12, 0, seconds));

const aMove = (given: Partial<LoggedMove> = {}): LoggedMove => ({
  claimId: 'claim-1',
  instanceId: 'vm-1',
  action: 'MIGRATE',
  source: 'compute-1',
  forced: false,
  status: 'done',
  startedAt: at(10),
  endedAt: at(11),
  ...given,
});

/** One question, answered, and the move that it led to; told on two events. */
const itsEvents: SeenEvents = {
  recorded: [
    { seq: 1, messageId: 'm-1' },
    { seq: 2, messageId: 'm-2' },
  ],
  onKafka: ['m-1', 'm-1', 'm-2'],
  onStream: ['m-1', 'm-2'],
};

/** All is well with the events of another session. */
const besideAnother = (change: Partial<SeenEvents>): Partial<WhatHappened> => ({
  events: [itsEvents, { ...itsEvents, ...change }],
});

const allWell: WhatHappened = {
  moves: [aMove()],
  grants: [{ id: 'claim-1', instanceId: 'vm-1' }],
  questions: [
    {
      messageId: 'm-1',
      projectId: 'p-1',
      state: 'PLANNED_MAINTENANCE',
      hostname: 'compute-1',
      status: 'answered',
      answer: 'ACK',
      instanceActions: { 'vm-1': 'MIGRATE' },
    },
  ],
  events: [itsEvents],
  disabledHosts: [],
  leftOver: [],
  progress: [],
  published: [],
};

const taken = [
  { messageId: 'm-1', projectId: 'p-1', state: 'PLANNED_MAINTENANCE', actions: { 'vm-1': 'MIGRATE' } },
] as const;

const rows: readonly { readonly situation: string; readonly change: Partial<WhatHappened>; readonly said: RegExp }[] = [
  { situation: 'a claim has two moves', change: { moves: [aMove(), aMove()] }, said: /claim-1 has two moves/ },
  {
    situation: 'an instance leaves a host twice',
    change: { moves: [aMove(), aMove({ claimId: 'claim-2', startedAt: at(20), endedAt: at(21) })] },
    said: /vm-1 from compute-1: moved twice/,
  },
  {
    situation: 'an instance is in two moves at once',
    change: { moves: [aMove({ endedAt: at(15) }), aMove({ claimId: 'claim-2', startedAt: at(12) })] },
    said: /vm-1 moved twice at once/,
  },
  { situation: 'nothing was granted', change: { grants: [] }, said: /vm-1 moved without leave/ },
  { situation: 'a move never ends', change: { moves: [aMove({ status: 'running' })] }, said: /vm-1 still moves/ },
  { situation: 'an answer was lost', change: { questions: [] }, said: /has no effect: its question is unknown/ },
  {
    situation: 'an answer is on record that nobody gave',
    change: { questions: [{ ...allWell.questions[0]!, messageId: 'm-9' }] },
    said: /is on record, but not in its log/,
  },
  { situation: 'the action was another', change: { moves: [aMove({ action: 'OWN_ACTION' })] }, said: /not MIGRATE/ },
  { situation: 'an action was forgotten', change: { moves: [] }, said: /vm-1 left by nothing/ },
  {
    situation: 'a number is missing',
    change: besideAnother({ recorded: [{ seq: 2, messageId: 'm-2' }] }),
    said: /before number 2/,
  },
  { situation: 'Kafka lacks an event', change: besideAnother({ onKafka: ['m-1'] }), said: /Kafka/ },
  { situation: 'Kafka has another order', change: besideAnother({ onKafka: ['m-2', 'm-1'] }), said: /Kafka/ },
  { situation: 'the stream lacks an event', change: besideAnother({ onStream: ['m-2'] }), said: /the stream/ },
  { situation: 'a host is left', change: { disabledHosts: ['compute-1'] }, said: /compute-1 is still disabled/ },
  { situation: 'a claim is left', change: { leftOver: ['a claim on vm-1 is still moving'] }, said: /still moving/ },
];

it('finds nothing when all is well, repeats on Kafka included', () => {
  expect(violations(allWell, taken)).toEqual([]);
});

it.each(rows)('says so when $situation', ({ change, said }) => {
  expect(violations({ ...allWell, ...change }, taken)).toContainEqual(expect.stringMatching(said));
});
