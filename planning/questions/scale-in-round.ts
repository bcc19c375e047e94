/** Whom to ask next to scale in: a round asks each project once, those that stayed silent last. */
import type { ScaleInNeed } from '../decision';
import { isSettled } from './action-of';
import { untilNextLook, whileStartingMs } from '../look-again';
import { isOver } from './negotiation';
import type { Question } from './question';
import { leastNeed } from '../limits/reasons';

export interface ScaleInInput {
  /** Undefined: a host is empty or can be emptied now. */
  readonly need: ScaleInNeed | undefined;
  /** A host that was maintained lately is not up yet; its room comes by itself. */
  readonly isHostStarting?: boolean;
  /** The session's SCALE_IN questions, oldest first. */
  readonly questions: readonly Question[];
  /** Rounds begun, and when the present one began. */
  readonly rounds: number;
  readonly roundAtMs?: number;
  readonly mostRounds: number;
  readonly nowMs: number;
}

export type ScaleInStep = { readonly close: readonly string[] } & (
  | { readonly kind: 'done' }
  | { readonly kind: 'wait'; readonly projectIds: readonly string[]; readonly lookAgainMs: number }
  | { readonly kind: 'ask'; readonly projectId: string; readonly newRound: boolean }
  | { readonly kind: 'failed'; readonly because: string }
);

/** After an ACK the cloud is watched this often for what was freed. */
const watchMs = 1_000;

export function scaleInStep(input: ScaleInInput): ScaleInStep {
  const last = input.questions.at(-1);
  if (last?.status === 'open' && !isOver(last, input.nowMs)) return waitForAnswer(last, input.nowMs);
  const close = last?.status === 'open' ? [last.id] : [];
  if (input.need === undefined) return { kind: 'done', close };
  if (last !== undefined && isStillFreeing(last, input.nowMs)) return watchTheCloud(last, input.nowMs);
  if (input.isHostStarting === true) return { kind: 'wait', close, projectIds: [], lookAgainMs: whileStartingMs };
  return { ...askNext(input, input.need), close };
}

const waitForAnswer = ({ projectId, replyAtMs }: Question, nowMs: number): ScaleInStep => ({
  kind: 'wait',
  close: [],
  projectIds: [projectId],
  lookAgainMs: untilNextLook([replyAtMs === undefined ? watchMs : replyAtMs - nowMs]),
});

/** Whoever agreed has until its window ends to free something. */
const isStillFreeing = ({ answer, replyAtMs }: Question, nowMs: number): boolean =>
  answer === 'ACK' && replyAtMs !== undefined && replyAtMs > nowMs;

const watchTheCloud = ({ projectId, replyAtMs = 0 }: Question, nowMs: number): ScaleInStep => ({
  kind: 'wait',
  close: [],
  projectIds: [projectId],
  lookAgainMs: Math.min(watchMs, replyAtMs - nowMs),
});

type Next = { kind: 'ask'; projectId: string; newRound: boolean } | { kind: 'failed'; because: string };

function askNext({ questions, rounds, roundAtMs, mostRounds }: ScaleInInput, need: ScaleInNeed): Next {
  const inOrder = silentLast(need.projectIds, questions);
  const asked = new Set(
    questions.filter(({ createdAtMs }) => roundAtMs !== undefined && createdAtMs >= roundAtMs).map((q) => q.projectId),
  );
  const notAsked = roundAtMs === undefined ? undefined : inOrder.find((projectId) => !asked.has(projectId));
  if (notAsked !== undefined) return { kind: 'ask', projectId: notAsked, newRound: false };
  const first = inOrder[0];
  if (first === undefined || rounds >= mostRounds) return { kind: 'failed', because: notEnough(need, rounds) };
  return { kind: 'ask', projectId: first, newRound: true };
}

function silentLast(projectIds: readonly string[], questions: readonly Question[]): string[] {
  const silent = new Set(questions.filter(isSilence).map(({ projectId }) => projectId));
  return [...projectIds].sort((one, other) => Number(silent.has(one)) - Number(silent.has(other)));
}

const isSilence = (question: Question): boolean => question.status === 'closed' && isSettled(question);

const notEnough = (need: ScaleInNeed, rounds: number): string => {
  const remedy = need.isKeptByAffinity ? '' : '; free that much, then resume';
  return `no host can be emptied, and ${rounds} rounds of SCALE_IN freed too little: ${leastNeed(need)}${remedy}`;
};
