import { unlessTooLong } from '../../outgoing/time-limit';

/** @throws Error that names the limit, when the answer takes longer */
export const answerWithin = <T>(answer: Promise<T>, limitMs: number): Promise<T> =>
  unlessTooLong(answer, { limitMs, tooLong: `no answer within ${limitMs / 1000} s` });
