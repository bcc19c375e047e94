/**
 * What it costs to put a host under work now, to compare hosts: its size, which is the room that goes with it, and how
 * long its instances will queue for the budgets of their groups, behind members of other hosts.
 */
import type { Group, Host } from './fleet';
import { type FleetIndex, groupOfKey, instancesOn } from './fleet-index';

/** A guess at the time from a member's question to the end of its move. Seconds. */
const actionSeconds = 60;
/** A queue of so many seconds costs as much as a host of the largest size. */
const queueSecondsPerHost = 450;

export class DrainCost {
  /** Members of each group that are impacted or wait to be admitted. */
  readonly #queues = new Map<string, number>();
  readonly #largestVcpus: number;

  constructor(private readonly index: FleetIndex) {
    this.#largestVcpus = index.hosts.reduce((largest, { vcpus }) => Math.max(largest, vcpus), 1);
    for (const { groupKey } of index.claimByInstance.values()) this.enqueue(groupKey);
  }

  enqueue(groupKey: string): void {
    this.#queues.set(groupKey, this.#queueOf(groupKey) + 1);
  }

  cheapestFirst(hosts: readonly Host[]): Host[] {
    const costed = hosts.map((host) => ({ host, cost: this.#costOf(host) }));
    // Hosts come by name, and the sort is stable.
    return costed.sort((one, other) => one.cost - other.cost).map(({ host }) => host);
  }

  #costOf(host: Host): number {
    return host.vcpus / this.#largestVcpus + this.#queueSeconds(host) / queueSecondsPerHost;
  }

  /** How long the last of the host's instances waits for its group; 0 where no group makes one wait. */
  #queueSeconds({ name }: Host): number {
    const members = new Map<string, number>();
    for (const { groupKey } of instancesOn(this.index, name)) members.set(groupKey, (members.get(groupKey) ?? 0) + 1);
    let longest = 0;
    for (const [key, count] of members) {
      longest = Math.max(longest, this.#waitSeconds(groupOfKey(this.index, key), count));
    }
    return longest;
  }

  #waitSeconds({ key, maxImpactedMembers, recoveryTimeSeconds }: Group, members: number): number {
    const turns = (this.#queueOf(key) + members) / Math.max(1, maxImpactedMembers) - 1;
    return turns * (actionSeconds + recoveryTimeSeconds);
  }

  #queueOf(groupKey: string): number {
    return this.#queues.get(groupKey) ?? 0;
  }
}
