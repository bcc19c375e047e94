/** Lists that are kept in order, the same on every machine. */

/** Order of names and IDs. */
export const compareText = (one: string, other: string): number => {
  if (one === other) return 0;
  return one < other ? -1 : 1;
};

/** The first position of the ordered list whose item is not before what is looked for. */
export const lowerBound = <Item>(ordered: readonly Item[], isBefore: (item: Item) => boolean): number => {
  let [low, high] = [0, ordered.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    const item = ordered[middle];
    if (item !== undefined && isBefore(item)) low = middle + 1;
    else high = middle;
  }
  return low;
};

/** Orders by the first of these numbers that differs. */
export const compareNumbers = (one: readonly number[], other: readonly number[]): number => {
  const at = one.findIndex((number, position) => number !== other[position]);
  return at < 0 ? 0 : (one[at] ?? 0) - (other[at] ?? 0);
};

/** The items under each of their keys, in their order. */
export const listsBy = <Item>(
  items: readonly Item[],
  keysOf: (item: Item) => readonly string[],
): Map<string, readonly Item[]> => {
  const lists = new Map<string, Item[]>();
  for (const item of items) {
    for (const key of keysOf(item)) {
      const list = lists.get(key);
      if (list) list.push(item);
      else lists.set(key, [item]);
    }
  }
  return lists;
};

interface Listing<Item> {
  readonly key: string;
  readonly item: Item;
  readonly idOf: (item: Item) => string;
}

/** Adds the item to the list of its key, by ID, or takes it out. A list that somebody holds stays as it was. */
export const listOrDrop = <Item>(
  lists: Map<string, readonly Item[]>,
  { key, item, idOf }: Listing<Item>,
  times: 1 | -1,
): void => {
  const id = idOf(item);
  const before = lists.get(key) ?? [];
  const at = lowerBound(before, (other) => compareText(idOf(other), id) < 0);
  const listed = times === 1 ? before.toSpliced(at, 0, item) : before.toSpliced(at, 1);
  if (listed.length > 0) lists.set(key, listed);
  else lists.delete(key);
};
