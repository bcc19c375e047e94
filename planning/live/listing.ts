/** Lists by a key, as of the instances on each host. A list that somebody holds stays as it was. */
import { compareText } from '../fleet/fleet-index';
import { lowerBound } from './lower-bound';

export interface Listing<Item> {
  readonly key: string;
  readonly item: Item;
  readonly idOf: (item: Item) => string;
}

/** Adds the item to the list of its key, which is ordered by ID, or takes it out; a key without items is not there. */
export function listOrUnlist<Item>(
  lists: Map<string, readonly Item[]>,
  { key, item, idOf }: Listing<Item>,
  times: 1 | -1,
): void {
  const list = lists.get(key) ?? [];
  const id = idOf(item);
  const at = lowerBound(list, (other) => compareText(idOf(other), id) < 0);
  const there = list[at];
  const isThere = there !== undefined && idOf(there) === id;
  if (times === 1) lists.set(key, list.toSpliced(at, isThere ? 1 : 0, item));
  else if (isThere && list.length === 1) lists.delete(key);
  else if (isThere) lists.set(key, list.toSpliced(at, 1));
}
