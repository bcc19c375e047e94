/** Runs work with the same key one after the other, in the order of the calls. Other keys do not wait for it. */
export type InTurn = <T>(key: string, work: () => Promise<T>) => Promise<T>;

export const createTurns = (): InTurn => {
  const last = new Map<string, Promise<unknown>>();
  return async (key, work) => {
    const before = last.get(key);
    const run = before === undefined ? work() : before.then(work, work);
    last.set(key, run);
    try {
      return await run;
    } finally {
      if (last.get(key) === run) last.delete(key);
    }
  };
};
