/** The group of each host: by a label, such as its zone, or by the beginning of its name. */
import type { HostLabels } from '../../rules/selectors/labels';
import { byNaturalOrder } from '../parts/natural-order';

const byLabel = 'label:';
export type Grouping = `${typeof byLabel}${string}` | 'name' | 'none';

const isByLabel = (by: Grouping): by is `${typeof byLabel}${string}` => by.startsWith(byLabel);

export const wordsOfGrouping = (by: Grouping): string => {
  if (isByLabel(by)) return by.slice(byLabel.length);
  return by === 'name' ? 'beginning of the name' : 'nothing';
};

/** node-r1-07 begins as all of node-r1 do; the domain says nothing about the place. */
export const beginningOf = (hostname: string): string => {
  const [first = hostname] = hostname.split('.');
  return first.replace(/[-_]?\d+$/, '') || first;
};

export const groupOf = (hostname: string, by: Grouping, labelsOf: LabelsOf): string => {
  if (!isByLabel(by)) return by === 'none' ? '' : beginningOf(hostname);
  const key = wordsOfGrouping(by);
  return labelsOf(hostname)[key] ?? `without ${key}`;
};

/** Empty where the host has none, or none are known. */
export type LabelsOf = (hostname: string) => HostLabels;

/** More groups than these tell nobody more. */
const mostGroups = 60;

/** The groupings that tell hosts apart, the best first. */
export const groupingsOf = (hostnames: readonly string[], labelsOf: LabelsOf): readonly Grouping[] => {
  const helps = (by: Grouping): boolean => {
    const groups = new Set(hostnames.map((hostname) => groupOf(hostname, by, labelsOf)));
    return groups.size > 1 && groups.size <= mostGroups && groups.size < hostnames.length;
  };
  const keys = new Set(hostnames.flatMap((hostname) => Object.keys(labelsOf(hostname))));
  const further = [...keys].filter((key) => key !== 'zone').toSorted(byNaturalOrder);
  const groupings: readonly Grouping[] = ['label:zone', 'name', ...further.map((key) => `label:${key}` as const)];
  return [...groupings.filter(helps), 'none'];
};

export interface Grouped<H> {
  readonly name: string;
  readonly hosts: readonly H[];
}

/** In natural order, as the hosts in each are. */
export const groupsOf = <H extends { readonly hostname: string }>(
  hosts: readonly H[],
  by: Grouping,
  labelsOf: LabelsOf,
): Grouped<H>[] =>
  [...Map.groupBy(hosts, ({ hostname }) => groupOf(hostname, by, labelsOf))]
    .map(([name, all]) => ({
      name,
      hosts: all.toSorted((one, other) => byNaturalOrder(one.hostname, other.hostname)),
    }))
    .toSorted((one, other) => byNaturalOrder(one.name, other.name));
