/** What was read a moment ago, so that many who ask at about the same time cost one reading. */

export interface Recent<T> {
  /** Read within the last `keepMs`, or just now. */
  get(): Promise<T>;
  /** Read from now on, for whoever must not have what was read before; it is kept for the others. */
  renew(): Promise<T>;
  /** What `get` has without reading, if anything. */
  kept(): Promise<T> | undefined;
  /** We have changed it: the next one reads anew. */
  forget(): void;
}

export interface RecentOptions<T> {
  readonly read: () => Promise<T>;
  readonly keepMs: number;
  readonly nowMs?: () => number;
}

export const createRecent = <T>({ read, keepMs, nowMs = Date.now }: RecentOptions<T>): Recent<T> => {
  let last: { readonly value: Promise<T>; readonly untilMs: number } | undefined;
  const kept = () => (last !== undefined && nowMs() < last.untilMs ? last.value : undefined);
  const renew = () => {
    const value = read();
    const reading = { value, untilMs: nowMs() + keepMs };
    last = reading;
    value.catch(() => {
      if (last === reading) last = undefined; // an error is not kept
    });
    return value;
  };
  return {
    get: () => kept() ?? renew(),
    renew,
    kept,
    forget() {
      last = undefined;
    },
  };
};
