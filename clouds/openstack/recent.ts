/** What was read a moment ago, so that many who ask at about the same time cost one reading. */

export interface Recent<T> {
  /** Read within the last `keepMs`, or just now. */
  get(): Promise<T>;
  /** We have changed it: the next one reads anew. */
  forget(): void;
}

export interface RecentOptions<T> {
  readonly read: () => Promise<T>;
  readonly keepMs: number;
  readonly nowMs?: () => number;
}

export const createRecent = <T>({ read, keepMs, nowMs = Date.now }: RecentOptions<T>): Recent<T> => {
  let kept: { readonly value: Promise<T>; readonly untilMs: number } | undefined;
  return {
    get() {
      if (kept !== undefined && nowMs() < kept.untilMs) return kept.value;
      const value = read();
      const reading = { value, untilMs: nowMs() + keepMs };
      kept = reading;
      value.catch(() => {
        if (kept === reading) kept = undefined; // an error is not kept
      });
      return value;
    },
    forget() {
      kept = undefined;
    },
  };
};
