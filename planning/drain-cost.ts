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

/** Those who wait for a group's budget, with the hosts that this decision opens. */
interface Queue {
  readonly group: Group;
  readonly secondsEach: number;
  length: number;
}

/** What a host adds to a queue. */
interface Share {
  readonly queue: Queue;
  readonly members: number;
}

export class DrainCost {
  readonly #queueOf = new Map<string, Queue>();
  /** Hosts are compared again whenever one of them is opened: only the length of queues has changed then. */
  readonly #sharesOf = new Map<Host, readonly Share[]>();
  #largestVcpus: number | undefined;

  constructor(private readonly live: LiveFleet) {}

  /** Counts the host's instances in the queues of their groups. */
  open({ name }: Host): void {
    for (const { groupKey } of instancesOn(this.live, name)) this.#queue(groupKey).length += 1;
  }

  /** The host's cost in seconds. */
  of(host: Host): number {
    this.#largestVcpus ??= this.live.hosts.reduce((largest, { vcpus }) => Math.max(largest, vcpus), 1);
    return (secondsPerLargest * host.vcpus) / this.#largestVcpus + this.#queueSeconds(host);
  }

  /** How long the last of the host's instances waits for its group; 0 where no group makes one wait. */
  #queueSeconds(host: Host): number {
    let longest = 0;
    for (const { queue, members } of this.#shares(host)) {
      longest = Math.max(longest, (queue.length + members - queue.group.maxImpactedMembers) * queue.secondsEach);
    }
    return longest;
  }

  #shares(host: Host): readonly Share[] {
    const known = this.#sharesOf.get(host);
    if (known) return known;
    const members = [...this.live.occupancy.loadOf(host.name).membersByGroup].filter(([, count]) => count > 0);
    const shares = members.map(([groupKey, count]) => ({ queue: this.#queue(groupKey), members: count }));
    this.#sharesOf.set(host, shares);
    return shares;
  }

  #queue(groupKey: string): Queue {
    const known = this.#queueOf.get(groupKey);
    if (known) return known;
    const group = groupOfKey(this.live, groupKey);
    const queue = { group, secondsEach: secondsPerMember(group), length: this.live.queueOf(groupKey) };
    this.#queueOf.set(groupKey, queue);
    return queue;
  }
}
