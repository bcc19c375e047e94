/** Whom to ask next to scale in, and when to give up. */
import type { ScaleInNeed } from '../../../../planning/decision';
import type { Question } from '../../../../planning/questions/question';
import { scaleInStep, type ScaleInInput } from '../../../../planning/questions/scale-in-round';
import { aQuestion } from '../../../builders/a-question';

const noonMs = Date.UTC(2026, 0, 1, 12);
const roundAtMs = noonMs - 60_000;

const need: ScaleInNeed = {
  ...{ host: 'compute-1', missingVcpus: 4, missingMemoryMb: 8192, isKeptByAffinity: false },
  projectIds: ['a', 'b', 'c'],
};

const asked = (projectId: string, given: Partial<Question>): Question =>
  aQuestion({
    id: `question-${projectId}`,
    projectId,
    state: 'SCALE_IN',
    instanceIds: [],
    createdAtMs: roundAtMs,
    askedAtMs: roundAtMs,
    replyAtMs: noonMs - 1,
    ...given,
  });
const open = { status: 'open', replyAtMs: noonMs + 5_000 } as const;
const silent = { status: 'closed', closedAtMs: noonMs - 1 } as const;
const refused = { status: 'answered', answer: 'NACK' } as const;
const agreed = { status: 'answered', answer: 'ACK' } as const;

const decide = (given: Partial<ScaleInInput>) =>
  scaleInStep({ need, questions: [], rounds: 1, roundAtMs, mostRounds: 3, nowMs: noonMs, ...given });

it.each<{ situation: string; given: Partial<ScaleInInput>; step: object }>([
  {
    situation: 'nobody was asked in this round yet: the one that could free most is',
    given: { rounds: 0, questions: [] },
    step: { kind: 'ask', projectId: 'a', newRound: false },
  },
  {
    situation: 'a question is open: its answer is waited for',
    given: { questions: [asked('a', open)] },
    step: { kind: 'wait', projectIds: ['a'], lookAgainMs: 5_000 },
  },
  {
    situation: 'a question is open although room is free by now: its answer is still waited for',
    given: { need: undefined, questions: [asked('a', open)] },
    step: { kind: 'wait', projectIds: ['a'] },
  },
  {
    situation: 'the window of an open question is over: it is closed and the next project is asked',
    given: { questions: [asked('a', { status: 'open' })] },
    step: { kind: 'ask', close: ['question-a'], projectId: 'b', newRound: false },
  },
  {
    situation: 'a project agreed and its window runs: the cloud is watched',
    given: { questions: [asked('a', { ...agreed, replyAtMs: noonMs + 400 })] },
    step: { kind: 'wait', projectIds: ['a'], lookAgainMs: 400 },
  },
  {
    situation: 'a project agreed and freed nothing within its window: the next one is asked',
    given: { questions: [asked('a', agreed)] },
    step: { kind: 'ask', projectId: 'b' },
  },
  {
    situation: 'a host is still starting: it is waited for',
    given: { isHostStarting: true, rounds: 3 },
    step: { kind: 'wait', projectIds: [], lookAgainMs: 5_000 },
  },
  {
    situation: 'a host is still starting and the window of an open question is over: it is closed',
    given: { isHostStarting: true, questions: [asked('a', { status: 'open' })] },
    step: { kind: 'wait', close: ['question-a'], projectIds: [] },
  },
  {
    situation: 'a project refused: the next one is asked',
    given: { questions: [asked('a', refused)] },
    step: { kind: 'ask', projectId: 'b' },
  },
  {
    situation: 'room is free: done',
    given: { need: undefined, questions: [asked('a', agreed)] },
    step: { kind: 'done' },
  },
  {
    situation: 'everybody was asked: a new round begins, whoever stayed silent last',
    given: { questions: [asked('a', silent), asked('b', refused), asked('c', refused)] },
    step: { kind: 'ask', projectId: 'b', newRound: true },
  },
  {
    situation: 'everybody was asked in the last round: failed',
    given: { rounds: 3, questions: [asked('a', refused), asked('b', refused), asked('c', refused)] },
    step: { kind: 'failed' },
  },
  {
    situation: 'nobody could free anything: failed at once',
    given: { need: { ...need, projectIds: [] } },
    step: { kind: 'failed' },
  },
])('$situation', ({ given, step }) => {
  expect(decide(given)).toMatchObject(step);
});

it('names the host and the missing amount when it gives up', () => {
  const step = decide({ rounds: 3, need: { ...need, projectIds: [] } });
  expect(step).toMatchObject({ because: expect.stringMatching(/compute-1.*4 vcpus and 8192 MB/) as unknown });
});

it('names no amount to free where anti-affinity is what keeps the host from being emptied', () => {
  const step = decide({ rounds: 3, need: { ...need, isKeptByAffinity: true, projectIds: [] } });
  expect(step).toMatchObject({
    because: expect.stringMatching(
      /host compute-1 comes closest, but for the anti-affinity of what is on it$/,
    ) as unknown,
  });
});
