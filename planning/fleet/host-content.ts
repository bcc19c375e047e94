/** The instances that are on a host, on their way to it, or still count on it. */
import type { Claim, Host, Instance } from './fleet';
import { type FleetIndex, instancesOn, isInFlight } from './fleet-index';

/** True when no instance is on it, and none is on its way to it. */
export function isEmpty(index: FleetIndex, { name }: Host): boolean {
  return instancesOn(index, name).length === 0 && !index.incomingByHost.has(name);
}

/** True when it is empty, and no instance that left it is still in flight: it may be maintained once it is disabled. */
export function isVacated(index: FleetIndex, host: Host): boolean {
  return isEmpty(index, host) && !index.outgoingByHost.has(host.name);
}

/**
 * The instances that still need a place on another host: those on the host that are not leaving, and those arriving.
 */
export function instancesToMoveAway(index: FleetIndex, hostname: string): readonly Instance[] {
  const staying = instancesOn(index, hostname).filter((instance) => !isLeaving(index, instance));
  return [...staying, ...arrivingAt(index, hostname)];
}

function isLeaving({ claimByInstance }: FleetIndex, { id, host }: Instance): boolean {
  const claim = claimByInstance.get(id);
  return claim !== undefined && isInFlight(claim) && claim.target !== host;
}

function arrivingAt({ incomingByHost, instanceById }: FleetIndex, hostname: string): readonly Instance[] {
  const incoming: readonly Claim[] = incomingByHost.get(hostname) ?? [];
  return incoming.flatMap(({ instanceId }) => {
    const instance = instanceById.get(instanceId);
    return instance && instance.host !== hostname ? [instance] : [];
  });
}

/** The vcpus of each of a host's largest instances, and the number of these instances. */
export interface Largest {
  readonly vcpus: number;
  readonly count: number;
}

/** `vcpus` is 0 for a host without instances. */
export function largestOn(index: FleetIndex, hostname: string): Largest {
  let [largest, count] = [0, 0];
  for (const { vcpus } of instancesOn(index, hostname)) {
    if (vcpus > largest) [largest, count] = [vcpus, 1];
    else if (vcpus === largest) count += 1;
  }
  return { vcpus: largest, count };
}
