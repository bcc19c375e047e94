/** How late hosts are back: what orders of hosts are compared by. */

/** So often a share is squared, which makes it small quickly the farther below 1 it is. */
const squarings = 6;

/**
 * The last of the ends, and the more beyond it the more others come shortly before it (the 64-norm). Times are only
 * expected, so that any of those may turn out to be the last; and to a search it tells that an order has become better
 * when one of several late ends was mended. In the unit of the ends, seconds.
 */
export function lateEnd(ends: readonly number[]): number {
  const last = ends.reduce((latest, end) => Math.max(latest, end), 0);
  if (last === 0) return 0;
  return last * repeated(Math.sqrt, sumOfPowers(ends, last));
}

function sumOfPowers(ends: readonly number[], last: number): number {
  return ends.reduce((sum, end) => sum + repeated(square, end / last), 0);
}

/** Squares and roots alone: unlike powers, they are the same to the last bit on every machine. */
function repeated(change: (value: number) => number, first: number): number {
  let value = first;
  for (let turn = 0; turn < squarings; turn += 1) value = change(value);
  return value;
}

function square(value: number): number {
  return value * value;
}
