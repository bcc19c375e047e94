/** Answers many callers with one question: whoever asks while an answer is on its way waits for the next one. */
import { waitAtMost } from './wait-at-most';

/** The milliseconds that the next question waits for the answer to the one before: a hanging one holds up nobody. */
const patienceMs = 2_000;

/**
 * @param findAll answers all that was asked since the question before it was put
 * @returns a function that asks about one key; its answer is from after the call
 */
export const gathered = <K, V>(
  findAll: (keys: readonly K[]) => Promise<ReadonlyMap<K, V>>,
): ((key: K) => Promise<V | undefined>) => {
  let keys = new Set<K>();
  let before: Promise<void> | undefined;
  let next: Promise<ReadonlyMap<K, V>> | undefined;
  const put = (): Promise<ReadonlyMap<K, V>> => {
    const asked = [...keys];
    keys = new Set();
    next = undefined;
    const answer = findAll(asked);
    const over = answer.then(noted, noted).then(() => {
      if (before === over) before = undefined;
    });
    before = over;
    return answer;
  };
  return async (key) => {
    keys.add(key);
    next ??= (before === undefined ? Promise.resolve() : waitAtMost(before, patienceMs)).then(put);
    return (await next).get(key);
  };
};

const noted = (): void => undefined;
