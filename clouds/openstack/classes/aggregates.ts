/** Nova's host aggregates: zones, metadata that flavors may ask for, and projects for which hosts are kept. */
import type { NovaAggregate } from '../nova/answers';

export interface HostAggregates {
  /** The names of the zones that there are. A host in none is in Nova's default zone, which asks nothing of a host. */
  readonly zones: ReadonlySet<string>;
  /** The names of all metadata. */
  readonly metadataNames: ReadonlySet<string>;
  /** True when an aggregate keeps its hosts for some projects. */
  readonly keepsForProjects: boolean;
  /** What the aggregates of one host say together. */
  of(host: string): AggregatesOfHost;
  /** The names of the aggregates of one host, in alphabetical order. */
  namesOf(host: string): readonly string[];
  /** The IDs, in placement too, of the aggregates that make up a zone. */
  idsOfZone(zone: string): readonly string[];
}

export interface AggregatesOfHost {
  readonly zone?: string;
  /** All values of a key, since aggregates may differ. */
  readonly metadata: Readonly<Record<string, readonly string[]>>;
  /** Projects that alone may use the host; left out: all may. */
  readonly projects?: readonly string[];
}

const zoneName = 'availability_zone';
const isProjectName = (name: string): boolean => name.startsWith('filter_tenant_id');
const isForFlavors = (name: string): boolean => name !== zoneName && !isProjectName(name);

export const hostAggregatesFrom = (aggregates: readonly NovaAggregate[]): HostAggregates => {
  const names = new Set(aggregates.flatMap(({ metadata }) => Object.keys(metadata)));
  const byHost = new Map<string, NovaAggregate[]>();
  for (const aggregate of aggregates) {
    for (const host of aggregate.hosts) byHost.set(host, [...(byHost.get(host) ?? []), aggregate]);
  }
  return {
    zones: new Set(aggregates.flatMap(({ metadata }) => metadata[zoneName] ?? [])),
    metadataNames: new Set([...names].filter(isForFlavors)),
    keepsForProjects: [...names].some(isProjectName),
    of: (host) => ofHost(byHost.get(host) ?? []),
    namesOf: (host) => sortedSet((byHost.get(host) ?? []).flatMap(({ name }) => name ?? [])),
    idsOfZone: (zone) =>
      aggregates.filter(({ metadata }) => metadata[zoneName] === zone).flatMap(({ uuid }) => uuid ?? []),
  };
};

const ofHost = (aggregates: readonly NovaAggregate[]): AggregatesOfHost => {
  const metadata: Record<string, readonly string[]> = {};
  const entries = aggregates.flatMap((aggregate) => Object.entries(aggregate.metadata));
  for (const [name, value] of entries.filter(([one]) => isForFlavors(one))) {
    metadata[name] = sortedSet([...(metadata[name] ?? []), ...valuesIn(value)]);
  }
  const projects = sortedSet(entries.flatMap(([name, value]) => (isProjectName(name) ? valuesIn(value) : [])));
  const zone = entries.find(([name]) => name === zoneName)?.[1];
  return { metadata, ...(zone !== undefined && { zone }), ...(projects.length > 0 && { projects }) };
};

/** Nova takes commas for the ends of values. */
const valuesIn = (text: string): readonly string[] => text.split(',').map((value) => value.trim());

const sortedSet = (values: readonly string[]): readonly string[] => [...new Set(values)].sort();
