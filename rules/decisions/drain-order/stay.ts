/** What a forecast is made from: the stays of hosts away from the fleet, and the queues of their groups. */
import type { Capacity } from '../fleet/capacity';

/** A host with the capacity that it takes out of the fleet, and the seconds until it is back where nobody queues. */
export interface Stay {
  readonly size: Capacity;
  /** The size as one number, to weigh hosts by. */
  readonly weight: number;
  readonly seconds: number;
  readonly turns: readonly Turn[];
}

/** A host's part in the queue of a group. */
export interface Turn {
  /** The position of its queue in `bookedSeconds`. */
  readonly queue: number;
  /** The time by which the queue becomes longer. */
  readonly seconds: number;
  /** A queue that is booked no further than this does not make the host wait. */
  readonly bearableSeconds: number;
}

export interface ForecastFacts {
  readonly waiting: readonly Stay[];
  /** Hosts under work. */
  readonly running: readonly Stay[];
  readonly free: Capacity;
  /** Hosts that may be under work beside those that are. */
  readonly slots: number;
  /** How far the queue of each group is booked by those that wait in it now. */
  readonly bookedSeconds: readonly number[];
}
