import type { Admission, Decision } from '../../../../rules/decisions/decision';
import { pausedAfterRefusals, withUnusedAnswers } from '../../../../rules/questions/use-unused-answers';
import { anAnsweredQuestion } from '../../../builders/a-question';

const admission: Admission = {
  kind: 'ask',
  instanceId: 'instance-1',
  groupKey: 'group-1',
  source: 'host-1',
  target: 'host-2',
  action: 'LIVE_MIGRATE',
};
const own = { instanceId: 'instance-1', hostname: 'host-1' };
const accepted = anAnsweredQuestion('ACK', own);
const chosen = anAnsweredQuestion('ACK', { ...own, instanceActions: { 'instance-1': 'MIGRATE' } });
const elsewhere = anAnsweredQuestion('ACK', { ...own, hostname: 'host-3' });

it.each([
  { situation: 'it chose another action', question: chosen, given: admission, kind: 'move', action: 'MIGRATE' },
  { situation: 'it chose none', question: accepted, given: admission, kind: 'move', action: 'LIVE_MIGRATE' },
  {
    situation: 'it was about another host',
    question: elsewhere,
    given: admission,
    kind: 'ask',
    action: 'LIVE_MIGRATE',
  },
  {
    situation: 'nothing is to be asked any more',
    question: chosen,
    given: { ...admission, kind: 'move' as const },
    kind: 'move',
    action: 'LIVE_MIGRATE',
  },
])('$kind by $action when the earlier answer counts and $situation', ({ question, given, kind, action }) => {
  const instance = { id: 'instance-1', defaultAction: 'LIVE_MIGRATE' } as const;
  const answers = new Map([['instance-1', { instance, question }]]);
  expect(withUnusedAnswers([given], answers)).toEqual([{ ...given, kind, action }]);
});

it('asks those who have not answered', () => {
  expect(withUnusedAnswers([admission], new Map())).toEqual([admission]);
});

describe('after a refusal of which nothing came', () => {
  const other: Admission = { ...admission, instanceId: 'instance-2' };
  const nothing = { drain: [], begin: [], giveBackForDeadlock: [], waiting: [], lookAgainMs: 60_000 };
  const decision: Decision = { ...nothing, admit: [admission, other] };
  const refusedAt = (fields: object) =>
    new Map([['instance-1', anAnsweredQuestion('NACK', { ...own, answeredAtMs: 10_000, ...fields })]]);
  const paused = (fields: object, nowMs: number) =>
    pausedAfterRefusals(decision, refusedAt(fields), { nowMs, nackRetries: 2, nackRetrySeconds: 10 });

  it('the instance is not asked before the pause is over, and says so', () => {
    expect(paused({}, 15_000)).toEqual({
      ...decision,
      admit: [other],
      waiting: [{ waitingFor: 'answer', who: 'instance-1', subject: 'project-1', untilMs: 20_000 }],
      lookAgainMs: 5_000,
    });
  });

  it.each([
    { situation: 'when the pause is over', fields: {}, nowMs: 20_000 },
    { situation: 'on another host', fields: { hostname: 'host-3' }, nowMs: 15_000 },
  ])('it is asked $situation', ({ fields, nowMs }) => {
    expect(paused(fields, nowMs)).toEqual(decision);
  });

  it('it moves at once where nothing is asked any more', () => {
    const admit = [{ ...admission, kind: 'move' as const }];
    const moves = pausedAfterRefusals({ ...decision, admit }, refusedAt({}), {
      nowMs: 15_000,
      nackRetries: 2,
      nackRetrySeconds: 10,
    });
    expect(moves.admit).toEqual(admit);
  });
});
