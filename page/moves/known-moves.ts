/** The moves that have begun, as far as they are known: a large session has thousands, of which few change. */
import type { BegunMove } from '../client/types';

/** A move may be written down some time after it began or ended. */
const overlapMs = 60_000;

const keyOf = ({ instance_id: id, host, from }: BegunMove): string => `${id} ${host} ${from}`;

/** Asks for what is new from then on; undefined: for all. */
const newsSince = (known: readonly BegunMove[]): string | undefined => {
  const lastMs = known.reduce((last, { from, to }) => Math.max(last, Date.parse(to ?? from)), -Infinity);
  return lastMs === -Infinity ? undefined : new Date(lastMs - overlapMs).toISOString();
};

/**
 * In the order in which they began. News have all that are under way: one that was, and is not told any more, has not
 * begun after all.
 */
const withNews = (known: readonly BegunMove[], news: readonly BegunMove[]): readonly BegunMove[] => {
  const over = known.filter(({ to }) => to !== null);
  const byKey = new Map([...over, ...news].map((move) => [keyOf(move), move]));
  return [...byKey.values()].toSorted((one, other) => Date.parse(one.from) - Date.parse(other.from));
};

/** Reads all once, and after that the news. */
export const readMoves = (
  read: (since: string | undefined) => Promise<readonly BegunMove[]>,
): (() => Promise<readonly BegunMove[]>) => {
  let known: readonly BegunMove[] = [];
  return async () => {
    known = withNews(known, await read(newsSince(known)));
    return known;
  };
};
