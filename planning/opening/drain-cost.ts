/**
 * The cost of putting a host under work now, to compare hosts: its size, which is the capacity that goes with it, and
 * how long its instances will queue for the budgets of their groups, behind members on other hosts.
 */
import type { Host } from '../fleet/fleet';
import { secondsPerMember } from '../live/group-pace';
import type { HostShare } from '../live/group-queue';
import type { LiveFleet } from '../live/live-fleet';

/** A host of the largest size costs as much as a queue of this many seconds. */
const secondsPerLargest = 450;

/** @returns a host's cost in seconds */
export function drainCostsIn(live: LiveFleet): (host: Host) => number {
  const largestVcpus = live.hosts.reduce((largest, { vcpus }) => Math.max(largest, vcpus), 1);
  return ({ name, vcpus }) => {
    const queueSeconds = live.sharesOn(name).reduce((longest, share) => Math.max(longest, waitSeconds(share)), 0);
    return (secondsPerLargest * vcpus) / largestVcpus + queueSeconds;
  };
}

function waitSeconds({ queue, members }: HostShare): number {
  return (queue.length + members - queue.group.maxImpactedMembers) * secondsPerMember(queue.group);
}
