/**
 * Bounds how much of something is in flight at a time: what is beyond waits in memory, in the order in which it came.
 */
export interface Places {
  /** Runs `work` once there is a place for it. */
  take<T>(work: () => Promise<T>): Promise<T>;
  readonly count: number;
  readonly taken: () => number;
  readonly waiting: () => number;
}

export const createPlaces = (count: number): Places => {
  let free = count;
  const waiting: (() => void)[] = [];
  const leave = (): void => {
    const next = waiting.shift();
    // The place goes to the next one directly: nobody who comes now is earlier.
    if (next === undefined) free += 1;
    else next();
  };
  return {
    async take(work) {
      if (free > 0) free -= 1;
      else await new Promise<void>((resolve) => waiting.push(resolve));
      try {
        return await work();
      } finally {
        leave();
      }
    },
    count,
    taken: () => count - free,
    waiting: () => waiting.length,
  };
};
