/**
 * Decides which project to ask next to scale in. A round asks each project once, silent ones last. In the first round
 * of a session projects choose what they give up. From the second round on, each question names the instance whose
 * deletion helps most.
 */
import { untilNextLook, whileStartingMs } from '../decisions/look-again';
import type { Helpful } from '../decisions/scale-in/most-helpful';
import type { MissingAmount, ScaleInNeed } from '../decisions/scale-in/scale-in-need';
import { isOver, standsUntilMs } from './negotiation';
import { isSettled, type Question } from './question';
import { leastNeed } from './scale-in-words';

export interface ScaleInInput {
  /** Undefined: a host is empty or can be drained now. */
  readonly need: ScaleInNeed | undefined;
  /**
   * True when capacity may come by itself: a host that was maintained lately is not up yet, or the cloud still refuses
   * one that has the room.
   */
  readonly mayComeByItself?: boolean;
  /** The session's SCALE_IN questions, oldest first. */
  readonly questions: readonly Question[];
  /**
   * Finds for each project the instance whose deletion helps most, the most helpful first. Computed only when a
   * question names one.
   */
  readonly mostHelpful: (projectIds: readonly string[]) => readonly Helpful[];
  /** The rounds in a row without a new low of the missing capacity, and the start of the present round. */
  readonly rounds: number;
  readonly roundAtMs?: number;
  /** The least missing capacity at the time of any question; left out: nobody was asked, or not since a resume. */
  readonly least?: MissingAmount;
  readonly mostRounds: number;
  readonly nowMs: number;
}

/** Recorded with a question. */
export interface ScaleInRecord {
  readonly rounds: number;
  /** True for the first question of a round. */
  readonly newRound: boolean;
  readonly least: MissingAmount;
}

export type ScaleInStep = { readonly close: readonly string[] } & (
  | { readonly kind: 'done' }
  | { readonly kind: 'wait'; readonly projectIds: readonly string[]; readonly lookAgainMs: number }
  | ProjectToAsk
  | { readonly kind: 'failed'; readonly because: string }
);

interface ProjectToAsk {
  readonly kind: 'ask';
  readonly projectId: string;
  /** Left out: the project chooses. */
  readonly instanceId?: string;
  readonly record: ScaleInRecord;
}

/** The intervals at which the cloud is read after an ACK, to see what was freed. */
const watchMs = 1_000;
const mostWatchMs = 5_000;

export const scaleInStep = (input: ScaleInInput): ScaleInStep => {
  const last = input.questions.at(-1);
  if (last?.status === 'open' && !isOver(last, input.nowMs)) return waitForAnswer(last, input.nowMs);
  const close = last?.status === 'open' ? [last.id] : [];
  if (input.need === undefined) return { kind: 'done', close };
  if (last !== undefined && isStillFreeing(last, input.nowMs)) return watchTheCloud(last, input.nowMs);
  if (input.mayComeByItself === true) return { kind: 'wait', close, projectIds: [], lookAgainMs: whileStartingMs };
  return { ...askNext(input, input.need), close };
};

const waitForAnswer = (question: Question, nowMs: number): ScaleInStep => {
  const untilMs = standsUntilMs(question);
  const lookAgainMs = untilNextLook([untilMs === undefined ? watchMs : untilMs - nowMs]);
  return { kind: 'wait', close: [], projectIds: [question.projectId], lookAgainMs };
};

/**
 * A project that agreed has until its window ends to free capacity. Terms agree before the event is on the bus, so that
 * the window has not begun.
 */
const isStillFreeing = ({ answer, replyAtMs = Infinity }: Question, nowMs: number): boolean =>
  answer === 'ACK' && replyAtMs > nowMs;

/** Each look lists the whole cloud: a project that has long to free capacity is watched less closely. */
const watchPace = (leftMs: number): number => Math.min(Math.max(watchMs, leftMs / 60), mostWatchMs);

const watchTheCloud = ({ projectId, replyAtMs = Infinity }: Question, nowMs: number): ScaleInStep => ({
  kind: 'wait',
  close: [],
  projectIds: [projectId],
  lookAgainMs: Math.min(watchPace(replyAtMs - nowMs), replyAtMs - nowMs),
});

type Next = ProjectToAsk | { kind: 'failed'; because: string };

const askNext = (input: ScaleInInput, need: ScaleInNeed): Next => {
  const { questions, roundAtMs, mostRounds } = input;
  const rounds = roundsInVain(input, need);
  const least = leastSoFar(input, need);
  const inThisRound = questions.filter(({ createdAtMs }) => roundAtMs !== undefined && createdAtMs >= roundAtMs);
  const asked = new Set(inThisRound.map(({ projectId }) => projectId));
  const goesOn = roundAtMs !== undefined && need.projectIds.some((projectId) => !asked.has(projectId));
  if (need.projectIds.length === 0 || (!goesOn && rounds >= mostRounds)) {
    return { kind: 'failed', because: notEnough(need, rounds) };
  }
  const toAsk = goesOn ? need.projectIds.filter((projectId) => !asked.has(projectId)) : need.projectIds;
  const isFirstRound = questions.length === (goesOn ? inThisRound.length : 0);
  const record = { rounds: goesOn ? rounds : rounds + 1, newRound: !goesOn, least };
  return { kind: 'ask', ...whom(input, toAsk, isFirstRound), record };
};

/** True when less is missing: fewer hosts are to be done, or one of as many hosts needs less. */
const isSmallerAmount = (one: MissingAmount, other: MissingAmount): boolean =>
  one.hostsLeft < other.hostsLeft || (one.hostsLeft === other.hostsLeft && one.share < other.share);

/** Less is missing than ever before: the earlier questions helped, so rounds are counted from zero. */
const roundsInVain = ({ least, rounds }: ScaleInInput, { amount }: ScaleInNeed): number => {
  return least !== undefined && isSmallerAmount(amount, least) ? 0 : rounds;
};

const leastSoFar = ({ least }: ScaleInInput, { amount }: ScaleInNeed): MissingAmount => {
  return least === undefined || isSmallerAmount(amount, least) ? amount : least;
};

/** The project that could free most; when questions name instances, the project whose instance helps most. */
const whom = (
  { questions, mostHelpful }: ScaleInInput,
  toAsk: readonly string[],
  isFirstRound: boolean,
): Pick<ProjectToAsk, 'projectId' | 'instanceId'> => {
  const named = isFirstRound ? [] : mostHelpful(toAsk);
  const instanceOf = new Map(named.map(({ projectId, instanceId }) => [projectId, instanceId]));
  const [projectId = ''] = silentLast([...new Set([...instanceOf.keys(), ...toAsk])], questions);
  const instanceId = instanceOf.get(projectId);
  return { projectId, ...(instanceId !== undefined && { instanceId }) };
};

const silentLast = (projectIds: readonly string[], questions: readonly Question[]): string[] => {
  const silent = new Set(questions.filter(isSilence).map(({ projectId }) => projectId));
  return [...projectIds].sort((one, other) => Number(silent.has(one)) - Number(silent.has(other)));
};

const isSilence = (question: Question): boolean => question.status === 'closed' && isSettled(question);

const notEnough = (need: ScaleInNeed, rounds: number): string => {
  const inVain =
    rounds === 0
      ? 'no project of the session has an instance whose going would help'
      : `${rounds} rounds of SCALE_IN freed too little`;
  const remedy = need.missingSlots > 0 ? '' : '; free that much, then continue the session';
  return `no host can be drained, and ${inVain}: ${leastNeed(need)}${remedy}`;
};
