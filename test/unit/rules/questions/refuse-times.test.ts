import type { ReplyTimes } from '../../../../rules/owner-times/reply-times';
import { refusalOfChangedAnswer } from '../../../../rules/questions/changed-answer';
import { decideReply, type Reply } from '../../../../rules/questions/decide-reply';
import type { Question } from '../../../../rules/questions/question';
import { anAnsweredQuestion, anAskedQuestion } from '../../../builders/a-question';

const nowMs = 10_000;
const latest = { notBeforeLatestMs: 90_000, instanceIds: ['instance-1', 'instance-2'] };

const aReply = (times: Reply['times'], fields: Partial<Reply> = {}): Reply => ({
  ...{ state: 'PLANNED_MAINTENANCE', answer: 'ACK', instanceActions: {}, times },
  ...fields,
});

const all = (notBeforeMs: number) => ({ notBeforeMs, instanceNotBeforeMs: {} });
const single = (id: string, atMs: number) => ({ instanceNotBeforeMs: { [id]: atMs } });

describe('a reply with a time', () => {
  it.each<{ is: string; reply: Reply; question?: Partial<Question>; refused: Record<string, unknown> }>([
    {
      is: 'refused where the session lets nobody put work off',
      reply: aReply(all(50_000)),
      question: {},
      refused: { pointer: '/not_before', hint: expect.stringContaining('leave the time out') },
    },
    {
      is: 'refused where the time is later than the latest one',
      reply: aReply(all(90_001)),
      refused: { pointer: '/not_before', hint: 'name a time from now until 1970-01-01T00:01:30.000Z' },
    },
    {
      is: 'refused where the time is past',
      reply: aReply(single('instance-2', 9_999)),
      refused: { pointer: '/instance_not_before/instance-2', because: expect.stringContaining('in the past') },
    },
    {
      is: 'refused in year 9999',
      reply: aReply(all(Date.parse('9999-12-31T23:59:59Z'))),
      refused: { pointer: '/not_before' },
    },
    {
      is: 'refused with a refusal',
      reply: aReply(all(50_000), { answer: 'NACK' }),
      refused: { pointer: '/not_before', hint: 'accept with ACK_PLANNED_MAINTENANCE and the time' },
    },
    {
      is: 'refused for an instance that the question is not about',
      reply: aReply(single('instance-3', 50_000)),
      refused: { code: 'CHOICE_MISPLACED', pointer: '/instance_not_before/instance-3' },
    },
  ])('is $is', ({ reply, question = latest, refused }) => {
    expect(decideReply([anAskedQuestion(question)], reply, { nowMs })).toMatchObject({
      ...{ kind: 'refuse', code: 'NOT_BEFORE_REFUSED' },
      ...refused,
    });
  });

  it.each([all(90_000), all(10_000), single('instance-2', 50_000)])('is taken with %p', (times) => {
    expect(decideReply([anAskedQuestion(latest)], aReply(times), { nowMs }).kind).toBe('answer');
  });
});

describe('a second answer', () => {
  const before = anAnsweredQuestion('ACK', { ...latest, times: all(50_000) });

  it.each([
    { is: 'a repeat with the same time', times: all(50_000), decision: { kind: 'repeat' } },
    {
      is: 'a change with another time',
      times: all(60_000),
      decision: { kind: 'change', changes: ['instance-1', 'instance-2'] },
    },
    {
      is: 'a change of one instance',
      times: { notBeforeMs: 50_000, instanceNotBeforeMs: { 'instance-2': 20_000 } },
      decision: { kind: 'change', changes: ['instance-2'] },
    },
    { is: 'a change without a time', times: undefined, decision: { kind: 'change' } },
    { is: 'refused with a time that is too late', times: all(90_001), decision: { code: 'NOT_BEFORE_REFUSED' } },
  ])('is $is', ({ times, decision }) => {
    expect(decideReply([before], aReply(times), { nowMs })).toMatchObject(decision);
  });

  it.each([
    { times: all(60_000), actions: {}, kind: 'change' },
    { times: all(60_000), actions: { 'instance-1': 'MIGRATE' }, kind: 'refuse' },
  ])('after the session has gone on is: $kind, with $times and $actions', ({ times, actions, kind }) => {
    const reply = aReply(times, { instanceActions: actions });
    expect(decideReply([{ ...before, closedAtMs: 8_000 }], reply, { nowMs }).kind).toBe(kind);
  });

  it('is a repeat with the same time also when the time has come', () => {
    expect(decideReply([before], aReply(all(50_000)), { nowMs: 51_000 })).toEqual({ kind: 'repeat' });
  });

  it.each([
    { times: all(60_000), refused: true },
    { times: undefined, refused: false },
  ])('that changes $times of an action that has begun is refused: $refused', ({ times, refused }) => {
    const reply = aReply(times);
    const decision = decideReply([before], reply, { nowMs });
    const action = { instanceName: 'one', action: 'MIGRATE', sinceMs: 9_000 } as const;
    const begun = [{ instanceId: 'instance-1', ...action }];
    const refusal = decision.kind === 'change' ? refusalOfChangedAnswer(decision, reply, begun) : undefined;
    expect(refusal?.code).toBe(refused ? 'ALREADY_BEGUN' : undefined);
  });
});

describe('a time for all instances, where one of them has begun', () => {
  const before = anAnsweredQuestion('ACK', { ...latest, instanceIds: ['instance-1', 'instance-2'] });
  const begun = [{ instanceId: 'instance-1', instanceName: 'one', action: 'MIGRATE', sinceMs: 9_000 } as const];
  const refusalOf = (times: ReplyTimes) => {
    const reply = aReply(times);
    const decision = decideReply([before], reply, { nowMs });
    return decision.kind === 'change' ? refusalOfChangedAnswer(decision, reply, begun) : undefined;
  };

  it('is refused, and the hint names the field for the others', () => {
    expect(refusalOf(all(60_000))).toMatchObject({
      code: 'ALREADY_BEGUN',
      hint: expect.stringContaining('instance_not_before') as string,
    });
  });

  it('is taken in that field', () => {
    expect(refusalOf(single('instance-2', 60_000))).toBeUndefined();
  });

  it('is no hint where the reply names the instance that has begun', () => {
    expect(refusalOf(single('instance-1', 60_000))?.hint).not.toContain('instance_not_before');
  });
});

describe('a reply with a time for one instance, after a newer question about another', () => {
  const earlier = anAnsweredQuestion('ACK', { ...latest, id: 'earlier', createdAtMs: 1_000 });
  const other = { notBeforeLatestMs: 90_000, id: 'newer', createdAtMs: 2_000, instanceIds: ['instance-3'] };
  const newer = { open: anAskedQuestion(other), answered: anAnsweredQuestion('ACK', other) };

  it.each(['open', 'answered'] as const)('changes the earlier answer where the newer one is %s', (status) => {
    expect(decideReply([earlier, newer[status]], aReply(single('instance-1', 50_000)), { nowMs })).toMatchObject({
      ...{ kind: 'change', questionId: 'earlier', retimed: ['instance-1'] },
    });
  });

  it.each(['open', 'answered'] as const)('is refused for an instance of no question where it is %s', (status) => {
    expect(decideReply([earlier, newer[status]], aReply(single('instance-9', 50_000)), { nowMs })).toMatchObject({
      ...{ kind: 'refuse', code: 'CHOICE_MISPLACED', pointer: '/instance_not_before/instance-9' },
    });
  });

  it('is refused where a part of it would be lost', () => {
    const times = { instanceNotBeforeMs: { 'instance-1': 50_000, 'instance-3': 50_000 } };
    const timed = { ...newer.answered, times: single('instance-3', 50_000) };
    expect(decideReply([earlier, timed], aReply(times), { nowMs })).toMatchObject({
      ...{ kind: 'refuse', pointer: '/instance_not_before/instance-1' },
    });
  });
});
