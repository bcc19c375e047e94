/** The project to ask next in SCALE_IN, and the time to give up. */
import type { ScaleInNeed } from '../../../../rules/decisions/scale-in/scale-in-need';
import type { Question } from '../../../../rules/questions/question';
import { type ScaleInInput, scaleInStep } from '../../../../rules/questions/scale-in-round';
import { aQuestion } from '../../../builders/a-question';

const noonMs = Date.UTC(2026, 0, 1, 12);
const roundAtMs = noonMs - 60_000;

const need: ScaleInNeed = {
  ...{ host: 'compute-1', missing: { VCPU: 4, MEMORY_MB: 8192 }, wanted: [], missingOnHosts: 2, missingSlots: 0 },
  amount: { hostsLeft: 2, share: 0.5 },
  projectIds: ['a', 'b', 'c'],
};
const less: ScaleInNeed = { ...need, amount: { hostsLeft: 2, share: 0.25 } };
const more: ScaleInNeed = { ...need, amount: { hostsLeft: 2, share: 0.75 } };
const oneHostLess: ScaleInNeed = { ...need, amount: { hostsLeft: 1, share: 0.75 } };

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
/** The bus has taken it, the webhook of its project has not. */
const untaken = aQuestion({ projectId: 'a', state: 'SCALE_IN', replyAtMs: noonMs - 1, opensByMs: noonMs + 3_000 });
const silent = { status: 'closed', closedAtMs: noonMs - 1 } as const;
const refused = { status: 'answered', answer: 'NACK' } as const;
const agreed = { status: 'answered', answer: 'ACK' } as const;

/** Terms have agreed; the bus has not taken the event. */
const unpublished = aQuestion({ projectId: 'a', state: 'SCALE_IN', createdAtMs: roundAtMs, ...agreed });

const inEarlierRound = { createdAtMs: roundAtMs - 60_000 };

const decide = (given: Partial<ScaleInInput>) =>
  scaleInStep({
    ...{ need, questions: [], mostHelpful: () => [], rounds: 1, roundAtMs, least: need.amount },
    ...{ mostRounds: 3, nowMs: noonMs },
    ...given,
  });

it.each<{ situation: string; given: Partial<ScaleInInput>; step: object }>([
  {
    situation: 'nobody was asked in this round yet: the one that could free most is',
    given: { rounds: 0, questions: [] },
    step: { kind: 'ask', projectId: 'a', record: { rounds: 0, newRound: false } },
  },
  {
    situation: 'a question is open: its answer is waited for',
    given: { questions: [asked('a', open)] },
    step: { kind: 'wait', projectIds: ['a'], lookAgainMs: 5_000 },
  },
  {
    situation: 'the webhook of the project has not taken a question: its window opens in a while',
    given: { questions: [untaken] },
    step: { kind: 'wait', projectIds: ['a'], lookAgainMs: 3_000 },
  },
  {
    situation: 'a question is open although capacity is free by now: its answer is still waited for',
    given: { need: undefined, questions: [asked('a', open)] },
    step: { kind: 'wait', projectIds: ['a'] },
  },
  {
    situation: 'the window of an open question is over: it is closed and the next project is asked',
    given: { questions: [asked('a', { status: 'open' })] },
    step: { kind: 'ask', close: ['question-a'], projectId: 'b', record: { rounds: 1, newRound: false } },
  },
  {
    situation: 'terms agreed and the event is not on the bus: the window has not even begun, also in the last round',
    given: { need: { ...need, projectIds: ['a'] }, questions: [unpublished], rounds: 3 },
    step: { kind: 'wait', projectIds: ['a'], lookAgainMs: 5_000 },
  },
  {
    situation: 'a project agreed and its window runs: the cloud is watched',
    given: { questions: [asked('a', { ...agreed, replyAtMs: noonMs + 400 })] },
    step: { kind: 'wait', projectIds: ['a'], lookAgainMs: 400 },
  },
  {
    situation: 'a project agreed and has ten minutes: the cloud is watched less closely',
    given: { questions: [asked('a', { ...agreed, replyAtMs: noonMs + 600_000 })] },
    step: { kind: 'wait', projectIds: ['a'], lookAgainMs: 5_000 },
  },
  {
    situation: 'a project agreed and freed nothing within its window: the next one is asked',
    given: { questions: [asked('a', agreed)] },
    step: { kind: 'ask', projectId: 'b' },
  },
  {
    situation: 'a host is still starting: it is waited for',
    given: { mayComeByItself: true, rounds: 3 },
    step: { kind: 'wait', projectIds: [], lookAgainMs: 5_000 },
  },
  {
    situation: 'a host is still starting and the window of an open question is over: it is closed',
    given: { mayComeByItself: true, questions: [asked('a', { status: 'open' })] },
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
    step: { kind: 'ask', projectId: 'b', record: { rounds: 2, newRound: true } },
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
  const because =
    /3 rounds of SCALE_IN freed too little: host compute-1 needs the least, 4 vcpus and 8192 MB of memory more on 2 other hosts; free/;
  expect(step).toMatchObject({ because: expect.stringMatching(because) as unknown });
});

it('says that nobody can be asked, where nobody was', () => {
  const because = /^no host can be drained, and no project of the session has an instance whose going would help: host/;
  const step = decide({ rounds: 0, need: { ...need, projectIds: [] } });
  expect(step).toMatchObject({ kind: 'failed', because: expect.stringMatching(because) as unknown });
});

it('says which slots are missing, and not to free that much, where anti-affinity is what keeps the host from being drained', () => {
  const step = decide({ rounds: 3, need: { ...need, missingSlots: 1, projectIds: [] } });
  expect(step).toMatchObject({
    because: expect.stringMatching(
      /host compute-1 comes closest, but for the anti-affinity of what is on it: 1 slot more on other hosts, or 4 vcpus and 8192 MB of memory scaled in$/,
    ) as unknown,
  });
});

describe('rounds in a row', () => {
  const everybodyRefused = ['a', 'b', 'c'].map((projectId) => asked(projectId, refused));

  it.each<{ situation: string; given: Partial<ScaleInInput>; record: object }>([
    {
      situation: 'the first question of a session is asked: what is missing is noted',
      given: { need: more, rounds: 0, roundAtMs: undefined as never, least: undefined as never },
      record: { rounds: 1, newRound: true, least: more.amount },
    },
    {
      situation: 'less is missing than ever before: the count is set back, and the round goes on',
      given: { need: less, rounds: 3, questions: [asked('a', agreed)] },
      record: { rounds: 0, newRound: false, least: less.amount },
    },
    {
      situation: 'less is missing than ever before after the last round: another one begins',
      given: { need: less, rounds: 3, questions: everybodyRefused },
      record: { rounds: 1, newRound: true, least: less.amount },
    },
    {
      situation: 'as much is missing as before: the count stays',
      given: { rounds: 2, questions: [asked('a', agreed)] },
      record: { rounds: 2, newRound: false, least: need.amount },
    },
    {
      situation: 'more is missing than before: the count stays, and so does the least',
      given: { need: more, rounds: 2, questions: [asked('a', agreed)] },
      record: { rounds: 2, least: need.amount },
    },
    {
      situation: 'a host was maintained since: the count is set back, whatever the others need',
      given: { need: oneHostLess, rounds: 3, questions: everybodyRefused },
      record: { rounds: 1, newRound: true, least: oneHostLess.amount },
    },
    {
      situation: 'nothing was noted yet: the count stays',
      given: { rounds: 2, least: undefined as never, questions: [asked('a', agreed)] },
      record: { rounds: 2, least: need.amount },
    },
  ])('$situation', ({ given, record }) => {
    expect(decide(given)).toMatchObject({ kind: 'ask', record });
  });

  it('fail the session when the last one has left as much missing as there was before', () => {
    const step = decide({ need: more, rounds: 3, questions: everybodyRefused });
    expect(step).toMatchObject({ kind: 'failed' });
  });
});

describe('naming an instance', () => {
  const mostHelpful = (projectIds: readonly string[]) =>
    ['c', 'a']
      .filter((id) => projectIds.includes(id))
      .map((projectId) => ({ projectId, instanceId: `of-${projectId}` }));
  const firstRound = ['a', 'b', 'c'].map((projectId) => asked(projectId, refused));
  const before = ['a', 'b', 'c'].map((projectId) => asked(projectId, { ...refused, ...inEarlierRound }));

  it.each<{ situation: string; questions: readonly Question[]; named: object }>([
    { situation: 'nobody was asked yet: the project chooses', questions: [], named: { projectId: 'a' } },
    {
      situation: 'the first round goes on: the project chooses',
      questions: [asked('a', refused)],
      named: { projectId: 'b' },
    },
    {
      situation: 'the second round begins: with the instance that helps most of all',
      questions: firstRound,
      named: { projectId: 'c', instanceId: 'of-c' },
    },
    {
      situation: 'the second round goes on: with the next one',
      questions: [...before, asked('c', refused)],
      named: { projectId: 'a', instanceId: 'of-a' },
    },
    {
      situation: 'the second round comes to a project without one that helps: it chooses',
      questions: [...before, asked('c', refused), asked('a', refused)],
      named: { projectId: 'b' },
    },
    {
      situation: 'the project with the instance that helps most stayed silent: it comes last',
      questions: [asked('a', refused), asked('b', refused), asked('c', silent)],
      named: { projectId: 'a', instanceId: 'of-a' },
    },
  ])('$situation', ({ questions, named }) => {
    const step = decide({ questions, mostHelpful });
    const { projectId, instanceId } = step as { projectId?: string; instanceId?: string };
    expect({ projectId, ...(instanceId && { instanceId }) }).toEqual(named);
  });
});
