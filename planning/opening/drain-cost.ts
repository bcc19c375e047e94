/**
 * What it costs to put a host under work now, to compare hosts: its size, which is the room that goes with it, and how
 * long its instances will queue for the budgets of their groups, behind members of other hosts.
 */
import type { Host } from '../fleet/fleet';
import { instancesOn } from '../fleet/fleet-index';
import { secondsPerMember } from './group-pace';
import type { GroupQueue, HostShare } from '../live/group-queue';
import type { LiveFleet } from '../live/live-fleet';

/** A host of the largest size costs as much as a queue of so many seconds. */
const secondsPerLargest = 450;

export class DrainCost {
  /** Members in each queue that are on hosts which this decision opens. */
  readonly #opened = new Map<GroupQueue, number>();
  #largestVcpus: number | undefined;

  constructor(private readonly live: LiveFleet) {}

  /** Counts the host's instances in the queues of their groups. */
  open({ name }: Host): void {
    for (const { groupKey } of instancesOn(this.live, name)) {
      const queue = this.live.queue(groupKey);
      this.#opened.set(queue, (this.#opened.get(queue) ?? 0) + 1);
    }
  }

  /** The host's cost in seconds. */
  of(host: Host): number {
    this.#largestVcpus ??= this.live.hosts.reduce((largest, { vcpus }) => Math.max(largest, vcpus), 1);
    return (secondsPerLargest * host.vcpus) / this.#largestVcpus + this.queueSeconds(host);
  }

  /** How long the last of the host's instances waits for its group; 0 where no group makes one wait. */
  queueSeconds({ name }: Host): number {
    let longest = 0;
    for (const share of this.live.sharesOn(name)) longest = Math.max(longest, this.#waitSeconds(share));
    return longest;
  }

  #waitSeconds({ queue, members }: HostShare): number {
    const length = queue.length + (this.#opened.get(queue) ?? 0);
    return (length + members - queue.group.maxImpactedMembers) * secondsPerMember(queue.group);
  }
}
