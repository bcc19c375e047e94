/** Which instances are on a host, on their way to it, or still count on it. */
import { isInFlight } from '../fleet/double-allocation';
import type { Host, Instance } from '../fleet/fleet';
import { compareNumbers, compareText } from '../fleet/ordered';
import type { FleetModel } from './fleet-model';

/** True when no instance is on the host or on its way to it. */
export const isEmpty = (model: FleetModel, { name }: Host): boolean =>
  !model.instancesByHost.has(name) && !model.incomingByHost.has(name);

/** Empty, and nothing that left it is still in flight: it may be maintained once it is disabled. */
export const isVacated = (model: FleetModel, host: Host): boolean =>
  isEmpty(model, host) && !model.outgoingByHost.has(host.name);

/** Instances of the host that are neither admitted nor moving, largest first. */
export const stayingOn = (model: FleetModel, hostname: string): readonly Instance[] =>
  model
    .instancesOn(hostname)
    .filter(({ id }) => model.isStaying(id))
    .sort(largestFirst(model));

/** Orders the instance that is hardest to place first. */
export const largestFirst = ({ capacity }: FleetModel): ((one: Instance, other: Instance) => number) => {
  return (one, other) => capacity.weightOf(other) - capacity.weightOf(one) || compareText(one.id, other.id);
};

/** The instances that still need a place elsewhere: those on the host that are not leaving, and those arriving. */
export const instancesToMoveAway = (model: FleetModel, hostname: string): readonly Instance[] => {
  const staying = model.instancesOn(hostname).filter(({ id, host }) => {
    const claim = model.claimByInstance.get(id);
    return claim === undefined || !isInFlight(claim) || claim.target === host;
  });
  const incoming = model.incomingByHost.get(hostname);
  if (!incoming) return staying;
  const arriving = incoming.flatMap(({ instanceId }) => model.instanceById.get(instanceId) ?? []);
  return [...staying, ...arriving.filter(({ host }) => host !== hostname)];
};

/** The hosts, the cheapest to drain first: with the fewest instances that need a place elsewhere, then the smallest. */
export const byDrainCost = (model: FleetModel, hosts: readonly Host[]): readonly Host[] => {
  // One pass that makes no objects: a large session asks it about all of its hosts.
  const costOf = ({ name }: Host): readonly number[] => {
    const instances = instancesToMoveAway(model, name);
    let weight = 0;
    for (const instance of instances) weight += model.capacity.weightOf(instance);
    return [instances.length, weight];
  };
  return hosts
    .map((host) => ({ host, cost: costOf(host) }))
    .sort((one, other) => compareNumbers(one.cost, other.cost) || compareText(one.host.name, other.host.name))
    .map(({ host }) => host);
};
