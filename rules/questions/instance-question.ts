/**
 * The status of the question about a single instance, which decides what has to happen before its action may begin.
 * Facts in, data out, as for questions to whole projects (negotiation.ts). Its claim was admitted when it was asked.
 */
import { askedAgainAtMs, isRefusedTooOften, type RefusalLimits } from './after-refusal';
import { isOver, standsUntilMs } from './negotiation';
import { isSettled, type Question } from './question';

export type InstanceQuestionStanding =
  /** The action may begin, as `question` says. A question that is still open is over and must be closed. */
  | { readonly kind: 'settled'; readonly question: Question }
  /** Its manager has time until then, or its window opens then; undefined: its event is not on the bus yet. */
  | { readonly kind: 'open'; readonly untilMs?: number }
  /** Refused. It is asked again at that time. `isPutOff`: under another claim, because the time is far off. */
  | { readonly kind: 'pausing'; readonly untilMs: number; readonly isPutOff: boolean }
  | { readonly kind: 'ask' }
  /** Refused too often: the session fails, or what reply-policy.ts says follows. */
  | { readonly kind: 'refused' };

/** A project that may put work off and refuses for longer impedes nobody meanwhile: its claim ends. */
const longestPauseMs = 60_000;

export interface InstanceQuestionLimits extends RefusalLimits {
  /** Refusals up to this time do not count, since the session was paused for them; left out: all count. */
  readonly refusalsAfterMs?: number;
}

/** @param questions all that were asked under the instance's claim, oldest first */
export const standingOfQuestions = (
  questions: readonly Question[],
  nowMs: number,
  limits: InstanceQuestionLimits,
): InstanceQuestionStanding => {
  const last = questions.at(-1);
  if (last === undefined) return { kind: 'ask' };
  if (last.status === 'open') return standingOfOpen(last, nowMs);
  if (isSettled(last)) return { kind: 'settled', question: last };
  const { refusalsAfterMs = -Infinity } = limits;
  const refusals = questions.filter(
    ({ answer, answeredAtMs = 0 }) => answer === 'NACK' && answeredAtMs > refusalsAfterMs,
  ).length;
  if (isRefusedTooOften(refusals, limits)) return { kind: 'refused' };
  const { answeredAtMs: refusedAtMs = nowMs, notBeforeLatestMs: latestMs } = last;
  const untilMs = last.answer === 'NACK' ? askedAgainAtMs({ refusedAtMs, refusals, latestMs }, limits) : nowMs;
  // Only what `postpone` allows ends the claim. Refusals count by claim, so that after the latest time they come to an
  // end.
  const isPutOff = latestMs !== undefined && Math.min(untilMs, latestMs) - nowMs > longestPauseMs;
  return untilMs > nowMs ? { kind: 'pausing', untilMs, isPutOff } : { kind: 'ask' };
};

const standingOfOpen = (question: Question, nowMs: number): InstanceQuestionStanding => {
  // Silence: the default behaviour.
  if (isOver(question, nowMs)) return { kind: 'settled', question };
  const untilMs = standsUntilMs(question);
  return { kind: 'open', ...(untilMs !== undefined && { untilMs }) };
};
