/** The number of a group's members that are impacted at once. */

export interface Impact {
  readonly fromMs: number;
  readonly untilMs: number;
}

/** The greatest number at one instant. A member whose impact ends when another's begins does not count with it. */
export const peakOf = (impacts: readonly Impact[]): number => {
  const changes = impacts.flatMap(({ fromMs, untilMs }) => [
    { atMs: fromMs, by: 1 },
    { atMs: untilMs, by: -1 },
  ]);
  changes.sort((one, other) => one.atMs - other.atMs || one.by - other.by);
  let now = 0;
  let peak = 0;
  for (const { by } of changes) {
    now += by;
    peak = Math.max(peak, now);
  }
  return peak;
};
