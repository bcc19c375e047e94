/**
 * Answers many callers by one run of the work: whoever asks during a run waits for the next one. So the answer of each
 * caller comes from a run that began after its call.
 */
import { waitAtMost } from './time-limit';

/** The milliseconds that the next run waits for the end of the one before: a hanging one holds up nobody. */
const patienceMs = 2_000;

export const joined = <T>(work: () => Promise<T>): (() => Promise<T>) => {
  let before: Promise<void> | undefined;
  let next: Promise<T> | undefined;
  const run = (): Promise<T> => {
    next = undefined;
    const outcome = work();
    const over = outcome.then(noted, noted).then(() => {
      if (before === over) before = undefined;
    });
    before = over;
    return outcome;
  };
  return () => (next ??= (before === undefined ? Promise.resolve() : waitAtMost(before, patienceMs)).then(run));
};

const noted = (): void => undefined;

/**
 * The same for questions about one key each.
 * @param findAll answers all that was asked since the run before it
 */
export const gathered = <K, V>(
  findAll: (keys: readonly K[]) => Promise<ReadonlyMap<K, V>>,
): ((key: K) => Promise<V | undefined>) => {
  let keys = new Set<K>();
  const find = joined(() => {
    const asked = [...keys];
    keys = new Set();
    return findAll(asked);
  });
  return async (key) => {
    keys.add(key);
    return (await find()).get(key);
  };
};

/** Answers callers during a run of the work by that run, or by its failure. The next caller begins another run. */
export const sharedRun = <T>(work: () => Promise<T>): (() => Promise<T>) => {
  let running: Promise<T> | undefined;
  return () =>
    (running ??= work().finally(() => {
      running = undefined;
    }));
};
