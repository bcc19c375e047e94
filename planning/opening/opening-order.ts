/**
 * Which of the hosts that wait goes under work before which: as looked ahead, and of those that should start at the same
 * time the one that costs least. Where there are too many to look ahead, the one for which what it costs and how it fits
 * into the room that is free are least together.
 */
import { DrainCost } from './drain-cost';
import type { Host } from '../fleet/fleet';
import { LaneFit } from './lane-fit';
import { plannedStarts } from './look-ahead';
import { OpeningQueue, type Rank } from './opening-queue';
import { outlookOf } from './outlook';
import { rehearsedOrder } from './rehearsed-order';
import type { VnfFacts } from '../live/vnf-facts';

/** Larger fleets do not look ahead: their orders are too many for the few that there is time to compare. Hosts. */
const mostHostsToLookAhead = 250;

/** How far to look ahead (look-ahead.ts, steps): less far in larger fleets, where more is decided more often. */
const mostSteps = 60_000;
const hostsForMostSteps = 200;

/** Hosts that are compared at once: the cost of each takes a look at all of its groups. */
const mostCompared = 1_000;

export class OpeningOrder {
  readonly #cost: DrainCost;
  readonly #fit: LaneFit;
  readonly #looksAhead: boolean;
  /** What each host is compared by first, made out when it is asked for; seconds, or turns. */
  #starts: ReadonlyMap<Host, number> | undefined;

  /** @param waiting the session's hosts that wait and are not empty, whether they may be opened now or not */
  constructor(
    private readonly facts: VnfFacts,
    private readonly waiting: readonly Host[],
  ) {
    const { live } = facts;
    this.#cost = new DrainCost(live);
    this.#fit = new LaneFit(facts, waiting);
    this.#looksAhead = live.hosts.length <= mostHostsToLookAhead;
  }

  /** The first ones, as many as are worth a closer look. */
  firstOf(hosts: readonly Host[]): readonly Host[] {
    if (hosts.length <= mostCompared) return hosts;
    return hosts.toSorted((one, other) => this.#startOf(one) - this.#startOf(other)).slice(0, mostCompared);
  }

  /** Hosts come by name, so that the names decide between those that are alike. */
  queueOf(hosts: readonly Host[]): OpeningQueue {
    return new OpeningQueue(hosts, (host) => this.#rankOf(host));
  }

  /** Counts the host's instances in the queues of their groups. */
  open(host: Host): void {
    this.#cost.open(host);
  }

  #rankOf(host: Host): Rank {
    const start = this.#startOf(host);
    return this.#looksAhead ? [start, this.#cost.of(host)] : [start + this.#cost.queueSeconds(host), 0];
  }

  #startOf(host: Host): number {
    this.#starts ??= this.#looksAhead ? this.#lookedAhead() : this.#fits();
    return this.#starts.get(host) ?? 0;
  }

  #fits(): ReadonlyMap<Host, number> {
    return new Map(this.waiting.map((host) => [host, this.#fit.of(host)]));
  }

  /** When each host would start: the time or, where the rest of the session was rehearsed, its turn. */
  #lookedAhead(): ReadonlyMap<Host, number> {
    const starts = startsOf(this.facts, this.waiting);
    const planned = this.waiting.toSorted((one, other) => {
      return (starts.get(one) ?? 0) - (starts.get(other) ?? 0) || this.#cost.of(one) - this.#cost.of(other);
    });
    const rehearsed = rehearsedOrder(this.facts, planned);
    return rehearsed ? new Map(rehearsed.map((host, place) => [host, place])) : starts;
  }
}

function startsOf(facts: VnfFacts, waiting: readonly Host[]): ReadonlyMap<Host, number> {
  const starts = plannedStarts(outlookOf(facts, waiting), stepsFor(facts.live.hosts.length));
  return new Map(waiting.map((host, position) => [host, starts[position] ?? 0]));
}

function stepsFor(hosts: number): number {
  return mostSteps * Math.min(1, (hostsForMostSteps / hosts) ** 2);
}
