/**
 * What it costs to put a host under work now, to compare hosts: its size, which is the room that goes with it, and how
 * long its instances will queue for the budgets of their groups, behind members of other hosts.
 */
import type { Group, Host } from './fleet';
import { groupOfKey, instancesOn } from './fleet-index';
import { secondsPerMember } from './group-pace';
import type { LiveFleet } from './live-fleet';

/** A host of the largest size costs as much as a queue of so many seconds. */
const secondsPerLargest = 450;

export class DrainCost {
  /** Members of each group that are on hosts which this decision opens. */
  readonly #opened = new Map<string, number>();
  readonly #largestVcpus: number;

  constructor(private readonly live: LiveFleet) {
    this.#largestVcpus = live.hosts.reduce((largest, { vcpus }) => Math.max(largest, vcpus), 1);
  }

  /** Counts the host's instances in the queues of their groups. */
  open({ name }: Host): void {
    for (const { groupKey } of instancesOn(this.live, name)) {
      this.#opened.set(groupKey, (this.#opened.get(groupKey) ?? 0) + 1);
    }
  }

  /** The host's cost in seconds. */
  of(host: Host): number {
    return (secondsPerLargest * host.vcpus) / this.#largestVcpus + this.#queueSeconds(host);
  }

  /** How long the last of the host's instances waits for its group; 0 where no group makes one wait. */
  #queueSeconds({ name }: Host): number {
    let longest = 0;
    for (const [key, members] of this.live.occupancy.loadOf(name).membersByGroup) {
      if (members > 0) longest = Math.max(longest, this.#waitSeconds(groupOfKey(this.live, key), members));
    }
    return longest;
  }

  #waitSeconds(group: Group, members: number): number {
    return (this.#queueOf(group.key) + members - group.maxImpactedMembers) * secondsPerMember(group);
  }

  #queueOf(groupKey: string): number {
    return this.live.queueOf(groupKey) + (this.#opened.get(groupKey) ?? 0);
  }
}
