import {
  isUnsettled,
  negotiate,
  type NegotiationInput,
  type WantedQuestion,
} from '../../../../rules/questions/negotiation';
import type { Question } from '../../../../rules/questions/question';
import { anAnsweredQuestion, anAskedQuestion, aQuestion, aSilentQuestion } from '../../../builders/a-question';

const wanted: WantedQuestion = {
  projectId: 'project-1',
  instanceIds: ['instance-1'],
  windowSeconds: 20,
  allowedActions: ['LIVE_MIGRATE'],
};

const negotiated = (fields: Partial<NegotiationInput>): ReturnType<typeof negotiate> =>
  negotiate({
    state: 'PLANNED_MAINTENANCE',
    wanted: [wanted],
    existing: [],
    sinceMs: 0,
    nowMs: 10_000,
    limits: { nackRetrySeconds: 10, nackRetries: 2 },
    ...fields,
  });

const refusals = (...atMs: number[]): Question[] =>
  atMs.map((answeredAtMs) => anAnsweredQuestion('NACK', { id: `refused at ${answeredAtMs}`, answeredAtMs }));

describe('a negotiation', () => {
  it.each<{ situation: string; fields: Partial<NegotiationInput>; step: Partial<ReturnType<typeof negotiate>> }>([
    {
      situation: 'nothing is wanted',
      fields: { wanted: [] },
      step: { create: [], settled: true, lookAgainMs: 60_000 },
    },
    { situation: 'nothing was asked', fields: {}, step: { create: [wanted], settled: false } },
    {
      situation: 'the event is not on the bus yet',
      fields: { existing: [aQuestion({ replyAtMs: 1 })] },
      step: { create: [], close: [], open: ['question-1'], settled: false, lookAgainMs: 60_000 },
    },
    {
      situation: 'the webhook of the project has not taken the event, nor has the bus for long',
      fields: { existing: [aQuestion({ replyAtMs: 1, opensByMs: 15_000 })] },
      step: { create: [], close: [], open: ['question-1'], settled: false, lookAgainMs: 5_000 },
    },
    {
      situation: 'the answer is awaited',
      fields: { existing: [anAskedQuestion()] },
      step: { create: [], close: [], open: ['question-1'], settled: false, lookAgainMs: 10_000 },
    },
    {
      situation: 'the time for the answer is over',
      fields: { existing: [anAskedQuestion()], nowMs: 20_000 },
      step: { create: [], close: ['question-1'], open: [], settled: false },
    },
    {
      situation: 'it was accepted',
      fields: { existing: [anAnsweredQuestion('ACK')] },
      step: { create: [], settled: true },
    },
    { situation: 'nobody answered', fields: { existing: [aSilentQuestion()] }, step: { create: [], settled: true } },
    {
      situation: 'it was refused just now',
      fields: { existing: refusals(5_000) },
      step: { create: [], settled: false, lookAgainMs: 5_000 },
    },
    {
      situation: 'it was refused and the pause is over',
      fields: { existing: refusals(0) },
      step: { create: [wanted], settled: false },
    },
    {
      situation: 'it was refused once more than it may be asked again',
      fields: { existing: refusals(0, 10_000, 20_000), nowMs: 20_000 },
      step: { create: [], settled: false, refusedBy: 'project-1' },
    },
    {
      situation: 'it was refused that often before the state was entered again',
      fields: { existing: refusals(0, 10_000, 20_000), sinceMs: 30_000, nowMs: 30_000 },
      step: { create: [wanted], settled: false },
    },
    {
      situation: 'it was refused and then accepted',
      fields: { existing: [...refusals(0), anAnsweredQuestion('ACK', { id: 'again' })] },
      step: { create: [], settled: true },
    },
    {
      situation: 'scaling back is refused',
      fields: {
        state: 'MAINTENANCE_COMPLETE',
        wanted: [{ ...wanted, instanceIds: [] }],
        existing: [anAnsweredQuestion('NACK', { state: 'MAINTENANCE_COMPLETE', instanceIds: [] })],
      },
      step: { create: [], settled: true },
    },
    {
      situation: 'an instance appeared after the answer',
      fields: { wanted: [{ ...wanted, instanceIds: ['instance-1', 'new'] }], existing: [anAnsweredQuestion('ACK')] },
      step: { create: [{ ...wanted, instanceIds: ['new'] }], settled: false },
    },
    {
      situation: 'an instance appeared while the question is open',
      fields: { wanted: [{ ...wanted, instanceIds: ['instance-1', 'new'] }], existing: [anAskedQuestion()] },
      step: { create: [], open: ['question-1'], settled: false },
    },
    {
      situation: 'the instances of the project are gone',
      fields: { wanted: [], existing: [anAskedQuestion()] },
      step: { create: [], close: [], unneeded: ['question-1'], open: [], settled: true },
    },
    {
      situation: 'the instances of the project are gone, and so is its time',
      fields: { wanted: [], existing: [anAskedQuestion()], nowMs: 20_000 },
      step: { create: [], close: ['question-1'], unneeded: [], open: [], settled: true },
    },
    {
      situation: 'it was refused about instances that have gone',
      fields: { existing: refusals(5_000).map((question) => ({ ...question, status: 'unneeded' as const })) },
      step: { create: [wanted], settled: false },
    },
    {
      situation: 'it was accepted about another host',
      fields: { hostname: 'host-2', existing: [anAnsweredQuestion('ACK', { hostname: 'host-1' })] },
      step: { create: [wanted], settled: false },
    },
    {
      situation: 'the project has an open question about another host',
      fields: { hostname: 'host-2', existing: [anAskedQuestion({ hostname: 'host-1' })] },
      step: { create: [], close: [], open: [], settled: false },
    },
  ])('goes on rightly when $situation', ({ fields, step }) => {
    expect(negotiated(fields)).toMatchObject(step);
  });

  it('asks each instance its own question where that is wanted', () => {
    const own = { ...wanted, instanceId: 'instance-1' };
    const other = { ...wanted, instanceId: 'instance-2', instanceIds: ['instance-2'] };
    const existing = [anAskedQuestion({ instanceId: 'instance-1' })];
    expect(negotiated({ wanted: [own, other], existing })).toMatchObject({ create: [other], open: ['question-1'] });
  });

  it('asks nobody else when one has refused too often', () => {
    const other = { ...wanted, projectId: 'project-2' };
    const step = negotiated({ wanted: [wanted, other], existing: refusals(0, 1, 2) });
    expect(step).toMatchObject({ create: [], refusedBy: 'project-1' });
  });
});

describe('a negotiation about instances that the cloud moves nowhere', () => {
  const staying: WantedQuestion = {
    ...wanted,
    instanceIds: ['instance-2'],
    allowedActions: ['OWN_ACTION'],
    cannotMove: { 'instance-2': 'it is pinned' },
  };
  const both = [staying, wanted];
  const settledAt = (createdAtMs: number) => aSilentQuestion({ instanceIds: ['instance-2'], createdAtMs });

  it('asks about them alone first, then about the others', () => {
    expect(negotiated({ wanted: both })).toMatchObject({ create: [staying], settled: false });
    const open = anAskedQuestion({ instanceIds: ['instance-2'] });
    expect(negotiated({ wanted: both, existing: [open] })).toMatchObject({ create: [], settled: false });
    expect(negotiated({ wanted: both, existing: [settledAt(0)] })).toMatchObject({ create: [wanted], settled: false });
    const rest = aSilentQuestion({ id: 'question-2' });
    expect(negotiated({ wanted: both, existing: [settledAt(0), rest] })).toMatchObject({ create: [], settled: true });
  });

  it('asks about them again when the host is opened again, or the session resumed', () => {
    const existing = [settledAt(4_000), aSilentQuestion()];
    expect(negotiated({ wanted: both, existing, sinceMs: 4_000 })).toMatchObject({ create: [], settled: true });
    expect(negotiated({ wanted: both, existing, sinceMs: 4_001 })).toMatchObject({ create: [staying], settled: false });
  });
});

describe('what was settled', () => {
  const present = new Map([['project-1', ['instance-1']]]);
  const completed = { state: 'MAINTENANCE_COMPLETE' };

  it.each([
    { situation: 'was accepted', questions: [anAnsweredQuestion('ACK')], expected: false },
    { situation: 'was refused since', questions: [anAnsweredQuestion('NACK')], expected: true },
    {
      situation: 'was refused and then accepted',
      questions: [...refusals(0), anAnsweredQuestion('ACK')],
      expected: false,
    },
    { situation: 'was met with silence', questions: [aSilentQuestion()], expected: false },
    { situation: 'is only told', questions: [anAnsweredQuestion('NACK', completed)], expected: false },
  ])('is unsettled=$expected where it $situation', ({ questions, expected }) => {
    expect(isUnsettled(questions, present)).toBe(expected);
  });

  it('stays settled where the project that refuses has no instance left', () => {
    expect(isUnsettled([anAnsweredQuestion('NACK')], new Map([['project-1', []]]))).toBe(false);
  });
});
