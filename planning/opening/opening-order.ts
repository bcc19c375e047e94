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
const hostsForMostSteps = 150;

/** Hosts that are compared closely at once: that takes a look at all groups on each. */
const mostCompared = mostHostsToLookAhead;

export class OpeningOrder {
  readonly #cost: DrainCost;
  readonly #fit: LaneFit;
  readonly #looksAhead: boolean;
  /** When each host would start as looked ahead, made out when it is asked for: seconds, or turns. */
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

  /** Those that are worth a closer look, by how they fit alone. */
  firstOf(hosts: readonly Host[]): readonly Host[] {
    if (hosts.length <= mostCompared) return hosts;
    const misfits = Float64Array.from(hosts, (host) => this.#fit.misfitSeconds(host));
    const most = misfits.toSorted()[mostCompared - 1] ?? Infinity;
    return hosts.filter((_, position) => (misfits[position] ?? 0) <= most).slice(0, mostCompared);
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
    if (!this.#looksAhead) return this.#fit.of(host);
    this.#starts ??= this.#lookedAhead();
    return this.#starts.get(host) ?? 0;
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
