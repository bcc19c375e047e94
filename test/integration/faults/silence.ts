/**
 * The times in which work stood still, from the times at which something was recorded. All times are from one machine's
 * clock.
 */
export interface Outage {
  readonly victim: string;
  readonly at: Date;
  /** The time when it was up again. */
  readonly until: Date;
}

/** Milliseconds of the time in which everything was up. Time in which several victims were away counts once. */
const upMs = (from: number, to: number, outages: readonly Outage[]): number => {
  let [ms, countedTo] = [0, from];
  for (const { at, until } of outages) {
    ms += Math.max(0, Math.min(to, at.getTime()) - countedTo);
    countedTo = Math.max(countedTo, until.getTime());
  }
  return ms + Math.max(0, to - countedTo);
};

/**
 * Milliseconds to the next sign after an outage, what of it is another outage left out; 0 where all was done before.
 */
export const wentOnAfterMs = (signs: readonly Date[], { until }: Outage, outages: readonly Outage[]): number => {
  const next = signs.find((sign) => sign > until);
  return next === undefined ? 0 : upMs(until.getTime(), next.getTime(), outages);
};

/**
 * The longest time between two signs, what of it is outage left out. Milliseconds.
 * @param signs in order
 * @param outages in the order of their beginnings
 */
export const longestIdleMs = (signs: readonly Date[], outages: readonly Outage[]): number => {
  const times = signs.map((sign) => sign.getTime());
  return Math.max(0, ...times.slice(1).map((to, index) => upMs(times[index]!, to, outages)));
};
