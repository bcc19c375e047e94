/** Remembers values for a while. Above the limit of their number, the oldest is forgotten. */

export interface ShortMemory<K, V> {
  /** Undefined: nothing is remembered, or its time is over. */
  find(key: K): V | undefined;
  keep(key: K, value: V, untilMs: number): void;
}

/** @param nowMs the clock of `untilMs`, in milliseconds */
export const createShortMemory = <K, V>(most: number, nowMs: () => number): ShortMemory<K, V> => {
  const kept = new Map<K, { readonly value: V; readonly untilMs: number }>();
  return {
    find(key) {
      const known = kept.get(key);
      if (known === undefined || nowMs() < known.untilMs) return known?.value;
      kept.delete(key);
      return undefined;
    },
    keep(key, value, untilMs) {
      kept.delete(key);
      const [oldest] = kept.keys();
      if (oldest !== undefined && kept.size >= most) kept.delete(oldest);
      kept.set(key, { value, untilMs });
    },
  };
};
