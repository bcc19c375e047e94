/** What was planned before, as far as it still holds: a look ahead that begins with it goes on where the last one ended. */
import type { Host } from '../fleet/fleet';

/** @returns the waiting hosts in the order of these names; those that are not among them come last, as they are */
export function asOrderedBefore(names: readonly string[], waiting: readonly Host[]): readonly Host[] {
  const turnOf = new Map(names.map((name, turn) => [name, turn]));
  const turn = ({ name }: Host): number => turnOf.get(name) ?? names.length;
  return waiting.toSorted((one, other) => turn(one) - turn(other));
}
