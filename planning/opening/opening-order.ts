/**
 * Which of the hosts that wait goes under work before which: as looked ahead, and of those that should start at the same
 * time the one that costs least. Where there are too many to look ahead, long maintenances go first, unless they cost more
 * than they are longer.
 */
import { DrainCost } from './drain-cost';
import type { Host } from '../fleet/fleet';
import { GroupQueues } from './group-queues';
import { expectedMaintenanceSecondsOf } from './host-pace';
import { isTarget } from '../fleet/host-work';
import type { LiveFleet } from '../live/live-fleet';
import { mayLookAhead, plannedStarts } from './look-ahead';
import { rehearsedOrder } from './rehearsed-order';
import type { Stay } from './rehearsal';
import type { Room } from '../fleet/room';
import { type VnfFacts, ownInPhase } from '../live/vnf-facts';

/** What emptying a host is expected to take where no instance queues for its group: so long, or this share of a maintenance where that is less. */
const usualDrainSeconds = 100;
const usualDrainShare = 1 / 6;

/** Hosts that are compared at once: the cost of each takes a look at all of its groups. */
const mostCompared = 128;

/** How far to look ahead (look-ahead.ts, steps): less far in larger fleets, where more is decided more often. */
const mostSteps = 60_000;
const hostsForMostSteps = 200;

export class OpeningOrder {
  readonly #cost: DrainCost;
  readonly #looksAhead: boolean;
  /** Looked ahead for when two hosts are compared first. */
  #starts: ReadonlyMap<Host, number> | undefined;
  #byStart: readonly Host[] | undefined;

  /** @param waiting the session's hosts that wait and are not empty, whether they may be opened now or not */
  constructor(
    private readonly facts: VnfFacts,
    private readonly waiting: readonly Host[],
  ) {
    const { live } = facts;
    this.#cost = new DrainCost(live);
    this.#looksAhead = mayLookAhead(this.waiting.length, stepsFor(live.hosts.length));
  }

  /** The first ones, as many as are worth a closer look. */
  firstOf(hosts: readonly Host[]): readonly Host[] {
    if (hosts.length <= mostCompared) return hosts;
    const wanted = new Set(hosts);
    this.#byStart ??= this.waiting.toSorted((one, other) => this.#startOf(one) - this.#startOf(other));
    return this.#byStart.filter((host) => wanted.has(host)).slice(0, mostCompared);
  }

  sort(hosts: readonly Host[]): Host[] {
    if (hosts.length < 2) return [...hosts];
    const costed = hosts.map((host) => {
      const [start, cost] = [this.#startOf(host), this.#cost.of(host)];
      return { host, start: this.#looksAhead ? start : start + cost, cost };
    });
    // Hosts come by name, and the sort is stable.
    return costed.sort((one, other) => one.start - other.start || one.cost - other.cost).map(({ host }) => host);
  }

  /** Counts the host's instances in the queues of their groups. */
  open(host: Host): void {
    this.#cost.open(host);
  }

  #startOf(host: Host): number {
    if (!this.#looksAhead) return -expectedMaintenanceSecondsOf(host);
    this.#starts ??= this.#plan();
    return this.#starts.get(host) ?? 0;
  }

  /** When each host would start: the time or, where the rest of the session was rehearsed, its turn. */
  #plan(): ReadonlyMap<Host, number> {
    this.#starts = startsOf(this.facts, this.waiting);
    const rehearsed = rehearsedOrder(this.facts, this.sort(this.waiting));
    return rehearsed ? new Map(rehearsed.map((host, place) => [host, place])) : this.#starts;
  }
}

function startsOf(facts: VnfFacts, waiting: readonly Host[]): ReadonlyMap<Host, number> {
  const { live, nowMs, limits, sessionId } = facts;
  const drainSeconds = drainSecondsOf(waiting);
  const emptying = ownInPhase(facts, 'emptying').map((host) => stayOf(host, drainSeconds / 2));
  const maintaining = ownInPhase(facts, 'maintaining').map((host) => {
    const elapsedMs = nowMs - (host.work?.announcedAtMs ?? nowMs);
    return stayOf(host, -elapsedMs / 1000);
  });
  const underWork = live.countOutside(sessionId, 'waiting', 'maintained', 'failed');
  const queues = new GroupQueues(live);
  const outlook = {
    waiting: waiting.map((host) => ({ ...stayOf(host, drainSeconds), turns: queues.turnsOf(host) })),
    running: [...emptying, ...maintaining],
    room: freeRoom(live),
    bookedSeconds: queues.bookedSeconds,
    slots: (limits.maxParallelHosts ?? Infinity) - underWork,
  };
  const starts = plannedStarts(outlook, stepsFor(live.hosts.length));
  return new Map(waiting.map((host, position) => [host, starts[position] ?? 0]));
}

function stepsFor(hosts: number): number {
  return mostSteps * Math.min(1, (hostsForMostSteps / hosts) ** 2);
}

/** On all hosts that may take instances: a host that goes under work takes all of its own away from it. */
function freeRoom(live: LiveFleet): Room {
  let [vcpus, memoryMb] = [0, 0];
  for (const host of live.hosts) {
    if (!isTarget(host)) continue;
    const { free } = live.occupancy.loadOf(host.name);
    vcpus += free.vcpus;
    memoryMb += free.memoryMb;
  }
  return { vcpus, memoryMb };
}

function drainSecondsOf(waiting: readonly Host[]): number {
  const sum = waiting.reduce((seconds, host) => seconds + expectedMaintenanceSecondsOf(host), 0);
  return Math.min(usualDrainSeconds, usualDrainShare * (sum / Math.max(1, waiting.length)));
}

/** What is late may be back at any time. */
function stayOf(host: Host, furtherSeconds: number): Stay {
  const { vcpus, memoryMb } = host;
  return { vcpus, memoryMb, seconds: Math.max(0, expectedMaintenanceSecondsOf(host) + furtherSeconds), turns: [] };
}
