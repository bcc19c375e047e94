/**
 * Which of the hosts that wait goes under work before which: in the order that was found by looking ahead, now or a
 * little while ago. In sessions too large for that, the one first for which two things are least together: how badly it
 * fits into the time that free room has left, and how long its instances would queue for their groups now.
 */
import { DrainCost } from './drain-cost';
import { asOrderedBefore, isStillTheOrder } from './earlier-order';
import type { Host } from '../fleet/fleet';
import { LaneFit } from './lane-fit';
import { plannedStarts } from './look-ahead';
import { Memo } from '../live/memo';
import { OpeningQueue } from './opening-queue';
import { outlookOf } from './outlook';
import { rehearsedOrder } from './rehearsed-order';
import type { VnfFacts } from '../live/vnf-facts';

/**
 * Larger sessions do not look ahead, to the end: there is time to compare a few of their orders only, and those take
 * longer to compare than a whole session of a thousand hosts may take to plan.
 */
export const mostHostsToLookAhead = 600;

/** How far to look ahead (look-ahead.ts): with hundreds of hosts, fewer orders find little. */
const [mostSteps, leastOrders] = [30_000, 240];

/** Hosts that are compared closely at once, where nobody looks ahead: that takes a look at all groups on each. */
const mostCompared = 250;

export class OpeningOrder {
  readonly #cost: DrainCost;
  readonly #fit: LaneFit;
  readonly #looksAhead: boolean;
  /** Made out when it is asked for. */
  #turns: ReadonlyMap<Host, number> | undefined;
  #found: readonly Host[] | undefined;
  /** The same for all queues, until a host is opened. */
  #costs = this.#costsNow();

  /** @param waiting the session's hosts that wait and are not empty, whether they may be opened now or not */
  constructor(
    private readonly facts: VnfFacts,
    private readonly waiting: readonly Host[],
  ) {
    const { live, sessionId } = facts;
    this.#cost = new DrainCost(live);
    this.#fit = new LaneFit(facts, waiting);
    this.#looksAhead = live.countOutside(sessionId) <= mostHostsToLookAhead;
  }

  /** Those that are worth a closer look, by how they fit alone. */
  firstOf(hosts: readonly Host[]): readonly Host[] {
    if (this.#looksAhead || hosts.length <= mostCompared) return hosts;
    return this.#fit.bestOf(hosts, mostCompared);
  }

  /** Hosts come by name, so that the names decide between those that are alike. */
  queueOf(hosts: readonly Host[]): OpeningQueue {
    return new OpeningQueue(hosts, (host) => this.#costs.of(host));
  }

  /** Counts the host's instances in the queues of their groups; what was looked ahead for stays. */
  open(host: Host): void {
    this.#cost.open(host);
    this.#costs = this.#costsNow();
  }

  /** What was found by looking ahead now; undefined where there was no reason to. */
  get found(): readonly Host[] | undefined {
    return this.#found;
  }

  #costsNow(): Memo<Host, number> {
    return new Memo((host) => this.#costOf(host));
  }

  /** A turn, or seconds. */
  #costOf(host: Host): number {
    if (!this.#looksAhead) return this.#fit.lossSeconds(host) + this.#cost.queueSeconds(host);
    this.#turns ??= new Map(this.#order().map((each, turn) => [each, turn]));
    return this.#turns.get(host) ?? 0;
  }

  #order(): readonly Host[] {
    const { openingOrder } = this.facts;
    if (openingOrder === undefined) return this.#lookAhead();
    const before = asOrderedBefore(openingOrder, this.waiting);
    return isStillTheOrder(openingOrder, this.waiting) ? before : this.#lookAhead(before);
  }

  #lookAhead(before?: readonly Host[]): readonly Host[] {
    const starts = this.#startsOf(before);
    const planned = this.waiting.toSorted((one, other) => {
      return (starts.get(one) ?? 0) - (starts.get(other) ?? 0) || this.#cost.of(one) - this.#cost.of(other);
    });
    this.#found = rehearsedOrder(this.facts, { planned, before });
    return this.#found;
  }

  #startsOf(before: readonly Host[] | undefined): ReadonlyMap<Host, number> {
    const { facts, waiting } = this;
    const positionOf = new Map(waiting.map((host, position) => [host, position]));
    const starts = plannedStarts(outlookOf(facts, waiting), {
      mostSteps,
      leastOrders,
      before: before?.flatMap((host) => positionOf.get(host) ?? []),
    });
    return new Map(waiting.map((host, position) => [host, starts[position] ?? 0]));
  }
}
