/** A decision of planning for one session at one time: data that admission records and the workflow carries out. */
import type { Action, Fleet, Limited, Reservation, SessionState, Waiting } from './fleet/fleet';
import type { SetAside } from './fleet/host-failure';

export interface SessionView {
  readonly sessionId: string;
  /** The session's rolling state: PREPARE_MAINTENANCE, START_MAINTENANCE or PLANNED_MAINTENANCE. */
  readonly state: SessionState;
  readonly fleet: Fleet;
  /**
   * The instances on hosts under work whose move may be admitted, each with its action: their question is settled
   * (answered, or silent: the default behaviour), or nothing is asked. An instance that is not in it waits for an
   * answer.
   */
  readonly ready: ReadonlyMap<string, Action>;
  /** The order in the last decision that had one; left out: none had yet (`vnf`). */
  readonly openingOrder?: readonly string[] | undefined;
}

/**
 * The permission to impact an instance. move: its action starts now. ask: its own question is asked now; the target is
 * reserved from then on, and the action starts without another admission when the question is answered or its lead_time
 * is over.
 */
export interface Admission extends Limited {
  readonly kind: 'ask' | 'move';
  readonly instanceId: string;
  readonly source: string;
  readonly target: string;
  readonly action: Action;
}

export interface Decision {
  /** The next state; the decision contains nothing else then. */
  readonly next?: SessionState;
  /** The session cannot continue: the text names the host, instance or constraint, and what would help. */
  readonly failure?: string;
  /** Hosts to put under work: they are disabled and drained. */
  readonly open: readonly string[];
  readonly admit: readonly Admission[];
  /** Further places, to be kept for the next decision; only when instances are admitted one by one (`vnf`). */
  readonly reserve?: readonly Reservation[];
  /**
   * The session's hosts that waited before this decision, in the order in which they are to be drained according to the
   * forecast. The next forecast starts from it. Left out when the earlier order stays (`vnf`).
   */
  readonly openingOrder?: readonly string[];
  /** Hosts under work that are empty: their maintenance begins now. */
  readonly begin: readonly string[];
  /** Hosts under work to be given back, to break a deadlock. */
  readonly release: readonly string[];
  /** Failed hosts that the session sets aside; left out: none. */
  readonly setAside?: readonly SetAside[];
  /** Hosts under work to be given back, since the window closes before they would be back; left out: none. */
  readonly giveBack?: readonly string[];
  /** For every host under work and every instance on it that does not move: one reason. */
  readonly waiting: readonly Waiting[];
  /** When to decide again if nothing happens before, in milliseconds; at most 60,000. */
  readonly lookAgainMs: number;
}

/**
 * True when the session asks for capacity, gives a host back or up, or fails: on outdated facts these would be wrong.
 */
export function givesUp({ next, failure, setAside, release }: Decision): boolean {
  return next === 'SCALE_IN' || failure !== undefined || setAside !== undefined || release.length > 0;
}

/** The capacity that must be freed so that one host can be drained. */
export interface ScaleInNeed {
  readonly host: string;
  readonly missingVcpus: number;
  readonly missingMemoryMb: number;
  /** The number of other hosts that lack that capacity; 0: no other host takes instances. */
  readonly missingOnHosts: number;
  /**
   * Instances for which anti-affinity leaves no slot on another host. The capacity of each counts as missing, since one
   * has to be scaled in.
   */
  readonly missingSlots: number;
  readonly amount: MissingAmount;
  /** Projects whose scaling in would help; the one that could free most comes first. */
  readonly projectIds: readonly string[];
}

/** The missing capacity in numbers that can be compared between two looks. */
export interface MissingAmount {
  /** The session's hosts that are not maintained. */
  readonly hostsLeft: number;
  /** The missing capacity, as a share of the host that needs the least. */
  readonly share: number;
}

/** True when less is missing: fewer hosts are left, or with as many left one needs less. */
export function isSmallerAmount(one: MissingAmount, other: MissingAmount): boolean {
  return one.hostsLeft < other.hostsLeft || (one.hostsLeft === other.hostsLeft && one.share < other.share);
}
