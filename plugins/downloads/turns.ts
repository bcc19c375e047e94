/** Runs tasks of the same key one at a time, in the order of the calls. Different keys do not wait for each other. */

export type InTurn = <T>(key: string, work: () => Promise<T>) => Promise<T>;

export const createTurns = (): InTurn => {
  const last = new Map<string, Promise<unknown>>();
  return async (key, work) => {
    const before = last.get(key);
    const mine = (before ?? Promise.resolve()).then(work, work);
    last.set(key, mine);
    try {
      return await mine;
    } finally {
      if (last.get(key) === mine) last.delete(key);
    }
  };
};
