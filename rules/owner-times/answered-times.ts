/**
 * The times that projects have set for their instances by their answers in a session. The newest answer about an
 * instance counts, whether its question named the instance or the whole session. A refusal puts the instance off until
 * its project is asked again.
 */
import { type IdKey, keyOf } from '../cloud/id';
import { askedAgainAtMs, type RefusalLimits } from '../questions/after-refusal';
import type { OwnerTimes } from './release';
import { type ReplyTimes, timeFor } from './reply-times';

/** An answer of a project, in a session in which it may put work off. */
export interface AnswerInTime {
  readonly instanceIds: readonly string[];
  readonly answer: 'ACK' | 'NACK';
  readonly times?: ReplyTimes;
  readonly answeredAtMs: number;
  /** The latest time that the project may name. */
  readonly latestMs: number;
}

/**
 * The times by the keys of the instances. An answer without a time leaves the time of another question as it is: a
 * project takes a time back at the question to which it gave the time. Times are cut where the admin has moved the
 * latest one since.
 */
export const answeredTimes = (
  answers: readonly AnswerInTime[],
  limits: RefusalLimits,
): ReadonlyMap<IdKey, OwnerTimes> => {
  const times = new Map<IdKey, OwnerTimes>();
  const refused = new Set<IdKey>();
  for (const answer of answers.toSorted((one, other) => one.answeredAtMs - other.answeredAtMs)) {
    for (const id of answer.instanceIds) {
      const key = keyOf(id);
      // Whatever follows a refusal takes its place.
      if (refused.delete(key)) times.delete(key);
      const notBeforeMs = timeIn(answer, id, limits);
      if (notBeforeMs === undefined) continue;
      if (answer.answer === 'NACK') refused.add(key);
      times.set(key, { notBeforeMs: Math.min(notBeforeMs, Math.max(answer.latestMs, answer.answeredAtMs)) });
    }
  }
  return times;
};

const timeIn = (answer: AnswerInTime, instanceId: string, limits: RefusalLimits): number | undefined => {
  const { answeredAtMs: refusedAtMs, latestMs } = answer;
  if (answer.answer === 'NACK') return askedAgainAtMs({ refusedAtMs, refusals: 1, latestMs }, limits);
  return timeFor(answer.times, instanceId);
};
