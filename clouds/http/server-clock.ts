/** The clock of a server, as its answers tell it. The times that the server has written are compared with it alone. */

export interface ServerClock {
  /** The time of the server to a second or so; the own time while no answer has told it. */
  readonly nowMs: () => number;
  /** @param date the header `Date` of an answer that has just come */
  hear(date: string | undefined): void;
}

/** @param elapsedMs a clock that nobody sets */
export const createServerClock = (elapsedMs: () => number = () => performance.now()): ServerClock => {
  let atZeroMs: number | undefined;
  return {
    nowMs: () => (atZeroMs === undefined ? Date.now() : atZeroMs + elapsedMs()),
    hear(date = '') {
      const ms = Date.parse(date);
      if (!Number.isNaN(ms)) atZeroMs = ms - elapsedMs();
    },
  };
};
