/** Bounds how long somebody waits for work. The work itself goes on after that; a signal ends work that takes one. */

const late = Symbol('late');

const within = <T>(work: Promise<T>, limitMs: number): Promise<T | typeof late> => {
  let timer: NodeJS.Timeout | undefined;
  const limit = new Promise<typeof late>((resolve) => (timer = setTimeout(resolve, limitMs, late)));
  return Promise.race([work, limit]).finally(() => clearTimeout(timer));
};

/**
 * Waits until the work ends, but at most this long.
 *
 * @throws the error of the work, when it fails until then
 */
export const waitAtMost = async (work: Promise<unknown>, limitMs: number): Promise<void> => {
  await within(work, limitMs);
};

/**
 * Returns the outcome of the work.
 *
 * @throws Error with the words in `tooLong`, at the limit
 */
export const unlessTooLong = async <T>(
  work: Promise<T>,
  { limitMs, tooLong }: { readonly limitMs: number; readonly tooLong: string },
): Promise<T> => {
  const outcome = await within(work, limitMs);
  if (outcome === late) throw new Error(tooLong);
  return outcome;
};

/** Bounds work that is tried again. @throws Error that names the work and the limit */
export const withinLimit = <T>(limitMs: number, doing: string, work: Promise<T>): Promise<T> =>
  unlessTooLong(work, { limitMs, tooLong: `${doing} took longer than ${limitMs} ms; it will be tried again` });

/** @throws Error that names the limit, when the answer takes longer */
export const answerWithin = <T>(answer: Promise<T>, limitMs: number): Promise<T> =>
  unlessTooLong(answer, { limitMs, tooLong: `no answer within ${limitMs / 1000} s` });
