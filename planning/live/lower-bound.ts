/** Where a list that is kept in order has a place for something: the position of the first that is not before it. */
export function lowerBound<Item>(ordered: readonly Item[], isBefore: (item: Item) => boolean): number {
  let [low, high] = [0, ordered.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    const item = ordered[middle];
    if (item !== undefined && isBefore(item)) low = middle + 1;
    else high = middle;
  }
  return low;
}
