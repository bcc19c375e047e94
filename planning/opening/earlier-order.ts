/**
 * The order that an earlier decision found, as far as it still holds: a forecast goes on from it.
 */
import type { Host } from '../fleet/fleet';

/** @returns the waiting hosts in the order of these names; those that are not among them come last, as they are */
export function asOrderedBefore(names: readonly string[], waiting: readonly Host[]): readonly Host[] {
  const turnOf = new Map(names.map((name, turn) => [name, turn]));
  const turn = ({ name }: Host): number => turnOf.get(name) ?? names.length;
  return waiting.toSorted((one, other) => turn(one) - turn(other));
}

/** One in this many hosts of the order may be gone before another forecast is made. */
const hostsForEachGone = 50;

/** Whether hardly any host of the order has gone under work since, and none that it does not know has come. */
export function isStillTheOrder(names: readonly string[], waiting: readonly Host[]): boolean {
  const known = new Set(names);
  const isNew = ({ name }: Host): boolean => !known.has(name);
  if (waiting.some(isNew)) return false;
  return (names.length - waiting.length) * hostsForEachGone < names.length;
}
