/** An index of a fleet, so that it need not be searched: made once for a decision, never changed. */
import type { Claim, Fleet, Group, Host, Instance, Limited, Refusal } from './fleet';

export interface FleetIndex {
  readonly fleet: Fleet;
  /** Sorted by name, so that decisions do not depend on the order of the snapshot. */
  readonly hosts: readonly Host[];
  readonly hostByName: ReadonlyMap<string, Host>;
  readonly instanceById: ReadonlyMap<string, Instance>;
  /** By ID within a host. */
  readonly instancesByHost: ReadonlyMap<string, readonly Instance[]>;
  readonly groupByKey: ReadonlyMap<string, Group>;
  readonly claimByInstance: ReadonlyMap<string, Claim>;
  /** Hosts on which the cloud refused the instance. */
  readonly refusalsByInstance: ReadonlyMap<string, readonly Refusal[]>;
  /** Claims that are asked or moving. */
  readonly incomingByHost: ReadonlyMap<string, readonly Claim[]>;
  readonly outgoingByHost: ReadonlyMap<string, readonly Claim[]>;
}

export function indexFleet(fleet: Fleet): FleetIndex {
  const hosts = fleet.hosts.toSorted((one, other) => compareText(one.name, other.name));
  const instances = fleet.instances.toSorted((one, other) => compareText(one.id, other.id));
  const inFlight = fleet.claims.filter(isInFlight);
  return {
    fleet,
    hosts,
    hostByName: new Map(hosts.map((host) => [host.name, host])),
    instanceById: new Map(instances.map((instance) => [instance.id, instance])),
    instancesByHost: groupedBy(instances, ({ host }) => host),
    groupByKey: new Map(fleet.groups.map((group) => [group.key, group])),
    claimByInstance: new Map(fleet.claims.map((claim) => [claim.instanceId, claim])),
    refusalsByInstance: refusalsByInstance(fleet),
    incomingByHost: groupedBy(inFlight, ({ target }) => target),
    outgoingByHost: groupedBy(inFlight, ({ source }) => source),
  };
}

/** Asked or moving: the instance is about to leave its source for its target, or on its way already. */
export function isInFlight({ phase }: Claim): boolean {
  return phase === 'asked' || phase === 'moving';
}

export function instancesOn({ instancesByHost }: FleetIndex, hostname: string): readonly Instance[] {
  return instancesByHost.get(hostname) ?? [];
}

/** All groups that count it, its own group first. */
export function limitKeysOf({ groupKey, furtherLimitKeys }: Limited): readonly string[] {
  return furtherLimitKeys ? [groupKey, ...furtherLimitKeys] : [groupKey];
}

/** Only these fields, of an object that may have more. */
export function limitedBy({ groupKey, furtherLimitKeys }: Limited): Limited {
  return { groupKey, ...(furtherLimitKeys && { furtherLimitKeys }) };
}

/** The group's limits. A group that is not in the snapshot has the limits of a group that is not stored. */
export function groupOfKey({ groupByKey }: Pick<FleetIndex, 'groupByKey'>, key: string): Group {
  return groupByKey.get(key) ?? { key, name: key, maxImpactedMembers: 1, recoveryTimeSeconds: 0 };
}

/** An order of names and IDs that is the same on every machine. */
export function compareText(one: string, other: string): number {
  if (one === other) return 0;
  return one < other ? -1 : 1;
}

export function refusalsByInstance({
  refusals = [],
}: Pick<Fleet, 'refusals'>): ReadonlyMap<string, readonly Refusal[]> {
  return groupedBy(refusals, ({ instanceId }) => instanceId);
}

/** Hosts on which the cloud refused the instance. */
export function refusalsOf({ refusalsByInstance: known }: FleetIndex, instanceId: string): readonly Refusal[] {
  return known.get(instanceId) ?? [];
}

function groupedBy<Item>(items: readonly Item[], keyOf: (item: Item) => string): Map<string, Item[]> {
  const grouped = new Map<string, Item[]>();
  for (const item of items) {
    const key = keyOf(item);
    const group = grouped.get(key);
    if (group) group.push(item);
    else grouped.set(key, [item]);
  }
  return grouped;
}
