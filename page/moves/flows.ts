/** Flows between hosts, or groups of them: moves from and to the same place, of one tenant or in one state, as one. */
import { byNaturalOrder } from '../parts/natural-order';
import { type MapMove, type MoveState, stateAt } from './moves-in-time';

export interface Flow {
  readonly from: string;
  readonly to: string;
  readonly tenant: string;
  readonly state: MoveState;
  readonly instances: readonly string[];
}

export const itsOwnPlace = 'its tenant finds a place';

/** @param placeOf the group of a host, or the host itself */
export const flowsOf = (moves: readonly MapMove[], atMs: number, placeOf: (host: string) => string): Flow[] => {
  const byKey = Map.groupBy(moves, (move) => JSON.stringify(keyOf(move, atMs, placeOf)));
  return [...byKey.values()].flatMap((all) => {
    const [first] = all;
    if (first === undefined) return [];
    const [from, to, tenant, state] = keyOf(first, atMs, placeOf);
    return [{ from, to, tenant, state, instances: all.map(({ instance }) => instance).toSorted(byNaturalOrder) }];
  });
};

const keyOf = (move: MapMove, atMs: number, placeOf: (host: string) => string) =>
  [
    placeOf(move.from),
    move.to === undefined ? itsOwnPlace : placeOf(move.to),
    move.tenant,
    stateAt(move, atMs),
  ] as const;

const sizeOf = (flows: readonly Flow[]): number => flows.reduce((sum, { instances }) => sum + instances.length, 0);

const restEnd = ' others';

/** True of the name of the one place that stands for all that have none of their own. */
export const isRest = (place: string): boolean => place.endsWith(restEnd);

const mostPlaces = 36;

/** The places with the most moves keep their names, and all others are one. */
export const withFewPlaces = (flows: readonly Flow[], most = mostPlaces): readonly Flow[] => {
  const from = namesOf(flows, ({ from: one }) => one, most);
  const to = namesOf(flows, ({ to: one }) => one, most);
  return flows.map((flow) => ({ ...flow, from: from(flow.from), to: to(flow.to) }));
};

const namesOf = (flows: readonly Flow[], placeOf: (flow: Flow) => string, most: number) => {
  const places = [...Map.groupBy(flows, placeOf)].map(([name, all]) => ({ name, size: sizeOf(all) }));
  if (places.length <= most) return (name: string): string => name;
  const kept = places.toSorted((one, other) => other.size - one.size).slice(0, most - 1);
  const names = new Set(kept.map(({ name }) => name));
  const others = `${places.length - kept.length}${restEnd}`;
  return (name: string): string => (names.has(name) ? name : others);
};

/** The tenants with the most moves have a colour of their own; undefined: one of the others. */
export const coloursOf = (moves: readonly MapMove[], most = 8): ReadonlyMap<string, number> =>
  new Map(
    [...Map.groupBy(moves, ({ tenant }) => tenant)]
      .toSorted(([, one], [, other]) => other.length - one.length)
      .slice(0, most)
      .map(([tenant]) => tenant)
      .toSorted(byNaturalOrder)
      .map((tenant, at) => [tenant, at + 1]),
  );
