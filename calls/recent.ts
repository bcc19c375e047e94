/** Keeps a value that was read a moment ago, so that many callers at about the same time cause one reading. */

export interface Recent<T> {
  /** The value, read within the last `keepMs` or just now. */
  get(): Promise<T>;
  /** The value from a new reading, for callers that must not have an older one. Later callers of `get` share it. */
  renew(): Promise<T>;
  /** The value that `get` has without reading, if it has one. */
  kept(): Promise<T> | undefined;
  /** The newest value without reading, however old, if there is one. */
  last(): Promise<T> | undefined;
  /** Forgets the value, because it was changed: the next call reads again. */
  forget(): void;
}

export interface RecentOptions<T> {
  readonly read: () => Promise<T>;
  readonly keepMs: number;
  /** Set where `keepMs` counts from the end of a reading, which all share until then. Left out: from its beginning. */
  readonly isCountedFromEnd?: true;
  readonly nowMs?: () => number;
}

export const createRecent = <T>({ read, keepMs, isCountedFromEnd, nowMs = Date.now }: RecentOptions<T>): Recent<T> => {
  let last: { readonly value: Promise<T>; sinceMs: number } | undefined;
  const kept = () => (last !== undefined && nowMs() < last.sinceMs + keepMs ? last.value : undefined);
  const renew = () => {
    const value = read();
    const reading = { value, sinceMs: isCountedFromEnd ? Infinity : nowMs() };
    last = reading;
    value.then(
      () => {
        if (isCountedFromEnd) reading.sinceMs = nowMs();
      },
      () => {
        if (last === reading) last = undefined; // an error is not kept
      },
    );
    return value;
  };
  return {
    get: () => kept() ?? renew(),
    renew,
    kept,
    last: () => last?.value,
    forget() {
      last = undefined;
    },
  };
};
