/** Bounds how much is under way at a time, in all and of each kind, and refuses what is beyond: nothing waits. */

export interface SlotLimits {
  readonly mostOfOne: number;
  /** Left out: there is no such limit. */
  readonly mostInAll?: number;
}

export interface Slots {
  /** Runs the work. Undefined: as many are under way as may be, and nothing is done. */
  run<T>(kind: string, work: () => Promise<T>): Promise<T> | undefined;
}

export const createSlots = ({ mostOfOne, mostInAll = Infinity }: SlotLimits): Slots => {
  const running = new Map<string, number>();
  let inAll = 0;
  const add = (kind: string, change: 1 | -1): void => {
    const ofKind = (running.get(kind) ?? 0) + change;
    inAll += change;
    if (ofKind === 0) running.delete(kind);
    else running.set(kind, ofKind);
  };
  return {
    run(kind, work) {
      if (inAll >= mostInAll || (running.get(kind) ?? 0) >= mostOfOne) return undefined;
      add(kind, 1);
      return work().finally(() => add(kind, -1));
    },
  };
};
