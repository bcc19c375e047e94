/** Answers many callers with one question: whoever asks while an answer is on its way waits for the next one. */

/**
 * @param findAll answers all that was asked since the question before it was put
 * @returns a function that asks about one key; its answer is from after the call
 */
export const gathered = <K, V>(
  findAll: (keys: readonly K[]) => Promise<ReadonlyMap<K, V>>,
): ((key: K) => Promise<V | undefined>) => {
  let keys = new Set<K>();
  let before: Promise<unknown> = Promise.resolve();
  let next: Promise<ReadonlyMap<K, V>> | undefined;
  const put = (): Promise<ReadonlyMap<K, V>> => {
    const asked = [...keys];
    keys = new Set();
    next = undefined;
    return findAll(asked);
  };
  return async (key) => {
    keys.add(key);
    if (next === undefined) {
      next = before.then(put, put);
      before = next;
    }
    return (await next).get(key);
  };
};
