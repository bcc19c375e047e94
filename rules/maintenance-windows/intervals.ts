/** Intervals of time, and what becomes of them together. Milliseconds; an end is not part of its interval. */

export interface Interval {
  readonly fromMs: number;
  readonly toMs: number;
}

/** Intervals that overlap, or follow each other without a break, become one. In their order. */
export const joined = (intervals: readonly Interval[]): Interval[] => {
  const merged: Interval[] = [];
  for (const { fromMs, toMs } of [...intervals].sort((one, other) => one.fromMs - other.fromMs)) {
    const last = merged.at(-1);
    if (last === undefined || last.toMs < fromMs) merged.push({ fromMs, toMs });
    else merged[merged.length - 1] = { fromMs: last.fromMs, toMs: Math.max(last.toMs, toMs) };
  }
  return merged;
};

/** Both as `joined` returns them. @returns what is left of the first when the second is taken away, in their order */
export const without = (intervals: readonly Interval[], taken: readonly Interval[]): Interval[] => {
  let next = 0;
  return intervals.flatMap((interval) => {
    while ((taken[next]?.toMs ?? Infinity) <= interval.fromMs) next += 1;
    return withoutEach(interval, taken, next);
  });
};

/** Without those from this number on. The last of them may reach into the next interval as well. */
const withoutEach = ({ fromMs, toMs }: Interval, taken: readonly Interval[], first: number): Interval[] => {
  const left: Interval[] = [];
  let beginMs = fromMs;
  for (let at = first; (taken[at]?.fromMs ?? Infinity) < toMs; at += 1) {
    const hole = taken[at] ?? { fromMs: beginMs, toMs: beginMs };
    left.push({ fromMs: beginMs, toMs: hole.fromMs });
    beginMs = hole.toMs;
  }
  left.push({ fromMs: beginMs, toMs });
  return left.filter((one) => one.fromMs < one.toMs);
};

/** Those that the two times bound, cut to what lies between them. */
export const between = (intervals: readonly Interval[], { fromMs, toMs }: Interval): Interval[] =>
  intervals
    .map((one) => ({ fromMs: Math.max(one.fromMs, fromMs), toMs: Math.min(one.toMs, toMs) }))
    .filter((one) => one.fromMs < one.toMs);

/** In milliseconds. */
export const lengthOf = (intervals: readonly Interval[]): number =>
  intervals.reduce((sum, { fromMs, toMs }) => sum + toMs - fromMs, 0);
