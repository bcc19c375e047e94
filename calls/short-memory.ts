/** Remembers values for a while. Above the limit of their number, the oldest is forgotten. */

export interface ShortMemory<K, V> {
  /** Undefined: nothing is remembered, or its time is over. */
  find(key: K): V | undefined;
  /** @param untilMs left out: until it is the oldest */
  keep(key: K, value: V, untilMs?: number): void;
}

/** @param nowMs the clock of `untilMs`, in milliseconds */
export const createShortMemory = <K, V>(most: number, nowMs: () => number = Date.now): ShortMemory<K, V> => {
  const kept = new Map<K, { readonly value: V; readonly untilMs: number }>();
  return {
    find(key) {
      const known = kept.get(key);
      if (known === undefined || nowMs() < known.untilMs) return known?.value;
      kept.delete(key);
      return undefined;
    },
    keep(key, value, untilMs = Infinity) {
      kept.delete(key);
      const [oldest] = kept.keys();
      if (oldest !== undefined && kept.size >= most) kept.delete(oldest);
      kept.set(key, { value, untilMs });
    },
  };
};
