/** The group of each host: its zone, or the beginning of its name, such as the name of its rack. */
import { byNaturalOrder } from '../timeline/order';

export type Grouping = 'zone' | 'name' | 'none';

export const groupingWords: Readonly<Record<Grouping, string>> = {
  zone: 'zone',
  name: 'beginning of the name',
  none: 'nothing',
};

const withoutZone = 'without a zone';

/** node-r1-07 begins as all of node-r1 do; the domain says nothing about the place. */
export const beginningOf = (hostname: string): string => {
  const [first = hostname] = hostname.split('.');
  return first.replace(/[-_]?\d+$/, '') || first;
};

/** @param zoneOf the zone of a host; undefined: none, or not known */
export const groupOf = (hostname: string, by: Grouping, zoneOf: ZoneOf): string => {
  if (by === 'none') return '';
  return by === 'zone' ? (zoneOf(hostname) ?? withoutZone) : beginningOf(hostname);
};

export type ZoneOf = (hostname: string) => string | undefined;

/** More groups than these tell nobody more. */
const mostGroups = 60;

/** The groupings that tell hosts apart, the best first. */
export const groupingsOf = (hostnames: readonly string[], zoneOf: ZoneOf): readonly Grouping[] => {
  const helps = (by: Grouping): boolean => {
    const groups = new Set(hostnames.map((hostname) => groupOf(hostname, by, zoneOf)));
    return groups.size > 1 && groups.size <= mostGroups && groups.size < hostnames.length;
  };
  return [...(['zone', 'name'] as const).filter(helps), 'none'];
};

export interface Grouped<H> {
  readonly name: string;
  readonly hosts: readonly H[];
}

/** In natural order, as the hosts in each are. */
export const groupsOf = <H extends { readonly hostname: string }>(
  hosts: readonly H[],
  by: Grouping,
  zoneOf: ZoneOf,
): Grouped<H>[] =>
  [...Map.groupBy(hosts, ({ hostname }) => groupOf(hostname, by, zoneOf))]
    .map(([name, all]) => ({
      name,
      hosts: all.toSorted((one, other) => byNaturalOrder(one.hostname, other.hostname)),
    }))
    .toSorted((one, other) => byNaturalOrder(one.name, other.name));
