/** Asks one question about each of many, with few calls that wait at the same time. */

const usualAtOnce = 8;

/** @returns the answers in the order of the items */
export const fewAtOnce = async <T, R>(
  items: readonly T[],
  ask: (item: T) => Promise<R>,
  atOnce = usualAtOnce,
): Promise<readonly R[]> => {
  const answers: R[] = [];
  const queue = items.entries();
  const askNext = async (): Promise<void> => {
    for (const [at, item] of queue) answers[at] = await ask(item);
  };
  await Promise.all(Array.from({ length: atOnce }, askNext));
  return answers;
};
