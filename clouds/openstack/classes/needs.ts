/**
 * The class of a server: all that Nova's scheduler knows of it, amounts apart, as text. Some of it the driver holds
 * against what a host offers (why-not.ts); the rest tells servers apart for which Nova may answer otherwise.
 */
import { canonicalText } from '../../canonical';
import type { NovaServer } from '../nova/answers';
import type { HostAggregates } from './aggregates';
import { resourceRequestOf } from './resource-request';
import { imageIdOf, imagePropertiesOf } from './server-image';

export interface ServerNeeds {
  /** The zone that it was created for, where an aggregate makes up such a zone. */
  readonly zone?: string | undefined;
  /** Its project, where aggregates keep hosts for some. */
  readonly project?: string | undefined;
  /** What aggregates have to say. */
  readonly metadata?: Readonly<Record<string, string>>;
  readonly required?: readonly string[];
  readonly forbidden?: readonly string[];
  /** The type of its hypervisor. */
  readonly hypervisor?: string | undefined;
  /** Read by nobody: a NUMA topology, devices, hints, and whatever a cloud's own filters ask. */
  readonly further?: unknown;
}

export interface NeedsSources {
  /** Undefined: Nova does not tell them. */
  readonly aggregates: HostAggregates | undefined;
  /** The type of the hypervisor that it is on. */
  readonly hypervisor: string | undefined;
  /**
   * True when a server keeps to the zone that it is in: before 2.96 Nova does not tell for which zone it was created.
   */
  readonly keepsZones: boolean;
}

export const needsOf = (server: NovaServer, { aggregates, hypervisor, keepsZones }: NeedsSources): string => {
  const needs: ServerNeeds = {
    zone: zoneOf(server, aggregates, keepsZones),
    project: aggregates?.keepsForProjects === true ? server.tenant_id : undefined,
    metadata: askedOfAggregates(server, aggregates),
    ...traitsFor(server),
    hypervisor,
    further: furtherNeeds(server),
  };
  return canonicalText(needs);
};

const traitsFor = (server: NovaServer): Pick<ServerNeeds, 'required' | 'forbidden'> => {
  const groups = resourceRequestOf(server);
  const required = new Set([...groups.values()].flatMap((group) => [...group.required]));
  // A group of its own forbids a trait to the one provider that gives the group, not to the whole host.
  const forbidden = groups.get('')?.forbidden ?? [];
  return { required: [...required].sort(), forbidden: [...forbidden].sort() };
};

const furtherNeeds = (server: NovaServer): unknown => ({
  specs: server.flavor.extra_specs ?? {},
  image: imagePropertiesOf(server) ?? imageIdOf(server),
  hints: server.scheduler_hints,
});

export const zoneOf = (
  server: NovaServer,
  aggregates: HostAggregates | undefined,
  keepsZones: boolean,
): string | undefined => {
  const supposed = keepsZones ? server['OS-EXT-AZ:availability_zone'] : undefined;
  const told = 'pinned_availability_zone' in server ? server.pinned_availability_zone : supposed;
  return told != null && aggregates?.zones.has(told) === true ? told : undefined;
};

const scope = 'aggregate_instance_extra_specs:';

/**
 * Extra specs without a scope, or with that of the filter for aggregates. Nova does not tell whether this filter is in
 * use: it is where an aggregate has metadata of such a name.
 */
const askedOfAggregates = (
  { flavor }: NovaServer,
  aggregates: HostAggregates | undefined,
): Readonly<Record<string, string>> =>
  Object.fromEntries(
    Object.entries(flavor.extra_specs ?? {})
      .map(([key, value]) => [key.startsWith(scope) ? key.slice(scope.length) : key, value] as const)
      .filter(([name]) => !name.includes(':') && aggregates?.metadataNames.has(name) === true),
  );
