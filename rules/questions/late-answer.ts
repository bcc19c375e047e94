/**
 * Says whether a project takes longer with its answer than it is expected to. What a reply after its window means:
 * decide-reply.ts.
 */
import type { ExpectedTimes } from '../expectations/expected-times';
import type { Question } from './question';

export const isLate = (
  { projectId, askedAtMs, replyAtMs }: Pick<Question, 'projectId' | 'askedAtMs' | 'replyAtMs'>,
  { answerSeconds }: Pick<ExpectedTimes, 'answerSeconds'>,
  nowMs: number,
): boolean => {
  if (askedAtMs === undefined || replyAtMs === undefined) return false;
  const windowSeconds = (replyAtMs - askedAtMs) / 1000;
  return nowMs - askedAtMs > 1000 * answerSeconds({ projectId, windowSeconds });
};
