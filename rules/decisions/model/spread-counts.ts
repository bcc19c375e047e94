/**
 * Where the spreads of an instance let it go. Each member counts where it will be: at the place that was found for it,
 * and else on its host. So members that leave a host one after the other are counted as they leave it, which is what a
 * cloud does that sees each of them go.
 */
import type { Spread } from '../../cloud/spread';
import type { Instance } from '../fleet/fleet';

export interface KnownMembers {
  /** The instances under the spread of this key. */
  spreadMembers(key: string): Iterable<Pick<Instance, 'id' | 'host'>>;
}

export interface KnownPlaces {
  /** The place that was found for an instance under a spread; undefined: it stays on its host. */
  placeOf(instanceId: string): string | undefined;
  isTarget(hostname: string): boolean;
}

type Spreading = Pick<Instance, 'id' | 'host' | 'spreads'>;

/** The first of its spreads by which the host may not take it; undefined: all let it go there. */
export const spreadAgainst = (
  known: KnownMembers,
  places: KnownPlaces,
  instance: Spreading,
): ((hostname: string) => Spread | undefined) => {
  const { spreads = [] } = instance;
  const each = spreads.map((spread) => ({ spread, isAgainst: isTooFarAhead(spread, { known, places, instance }) }));
  return (hostname) => each.find(({ isAgainst }) => isAgainst(hostname))?.spread;
};

interface Counting {
  readonly known: KnownMembers;
  readonly places: KnownPlaces;
  /** It leaves its host, and counts nowhere yet. */
  readonly instance: Spreading;
}

const isTooFarAhead = (spread: Spread, counting: Counting): ((hostname: string) => boolean) => {
  const { partOf, maxSkew, minParts } = spread;
  const counts = membersByPart(spread, counting);
  let fewest = counts.size < minParts ? 0 : Infinity;
  for (const count of counts.values()) fewest = Math.min(fewest, count);
  return (hostname) => {
    const part = partOf.get(hostname);
    return part === undefined || (counts.get(part) ?? 0) + 1 - fewest > maxSkew;
  };
};

const membersByPart = (
  { key, partOf, onlyTargets }: Spread,
  { known, places, instance }: Counting,
): ReadonlyMap<string, number> => {
  const counts = new Map<string, number>();
  const partNow = (hostname: string): string | undefined => {
    const isLeftOut = onlyTargets === true && (hostname === instance.host || !places.isTarget(hostname));
    return isLeftOut ? undefined : partOf.get(hostname);
  };
  for (const hostname of partOf.keys()) {
    const part = partNow(hostname);
    if (part !== undefined) counts.set(part, 0);
  }
  for (const { id, host } of known.spreadMembers(key)) {
    const part = id === instance.id ? undefined : partNow(places.placeOf(id) ?? host);
    if (part !== undefined) counts.set(part, (counts.get(part) ?? 0) + 1);
  }
  return counts;
};
