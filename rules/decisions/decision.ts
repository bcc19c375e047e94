/**
 * The decisions for one session at one time. They are data: admission writes them down, and the workflow
 * carries them out.
 */
import type { Reason } from '../reasons/reason';
import type { Action, Claim, Fleet, Host, Limited, Reservation, SessionState } from './fleet/fleet';
import type { SetAside } from './fleet/set-aside-or-fail';
import { longestWaitMs } from './look-again';

export interface SessionView {
  readonly sessionId: string;
  /** The rolling state it is in: PREPARE_MAINTENANCE, START_MAINTENANCE or PLANNED_MAINTENANCE. */
  readonly state: SessionState;
  readonly fleet: Fleet;
  /**
   * The instances on hosts under work whose move may be admitted, and how each shall move: their question is settled
   * (answered, or silent: the default behaviour) or nothing is asked. What is missing here waits for an answer. Left
   * out for workflows that ask after admission (`vnf`).
   */
  readonly ready?: ReadonlyMap<string, Action>;
  /** The order of the last decision that had one; left out: none had one yet (`vnf`). */
  readonly drainOrder?: readonly string[] | undefined;
}

/**
 * The permission to impact an instance. move: its action starts now. ask: its own question is asked now; the target is
 * reserved from then on, and the action starts without another admission once the question is answered or its lead_time
 * is over.
 */
export interface Admission extends Pick<Claim, keyof Limited | 'instanceId' | 'source' | 'target' | 'action'> {
  readonly kind: 'ask' | 'move';
}

export interface Decision {
  /** The state to go to; nothing else is decided then. */
  readonly next?: SessionState;
  /** The session cannot go on: which host, instance or constraint, and what would help. */
  readonly failure?: string;
  /** Hosts to start to drain: they are disabled, and their instances are moved away. */
  readonly drain: readonly string[];
  readonly admit: readonly Admission[];
  /** Further places, to be kept for the next decision; only where instances are admitted one by one (`vnf`). */
  readonly reserve?: readonly Reservation[];
  /** Instances whose place is kept no more; left out: none. */
  readonly unreserve?: readonly string[];
  /**
   * The hosts that waited before this decision, in the planned order of draining. The next forecast starts from this
   * order. Left out where the order from before stays (`vnf`).
   */
  readonly drainOrder?: readonly string[];
  /** Hosts under work that are empty, to be maintained now. */
  readonly begin: readonly string[];
  /** Hosts under work to be given back, to break a deadlock. */
  readonly giveBackForDeadlock: readonly string[];
  /** The canary hosts are done, which is to be recorded; `pauseBecause`: the session is paused then. */
  readonly canaryEnded?: { readonly pauseBecause?: string };
  /** Hosts that the session goes on without, since they have failed; left out: none. */
  readonly setAside?: readonly SetAside[];
  /** Hosts that the session is done with, since they have left the cloud; left out: none. */
  readonly gone?: readonly string[];
  /**
   * Hosts under work to be given back, because the window closes before they would be back, or because the owner of an
   * instance has put it off for long; left out: none.
   */
  readonly giveBackForTime?: readonly string[];
  /** Reasons, one for every host under work and every instance on it that does not move. */
  readonly waiting: readonly Reason[];
  /** The time until the next decision if nothing happens before; at most 60,000. */
  readonly lookAgainMs: number;
}

export const nothingDecided: Decision = {
  drain: [],
  admit: [],
  begin: [],
  giveBackForDeadlock: [],
  waiting: [],
  lookAgainMs: longestWaitMs,
};

export const goTo = (next: SessionState): Decision => ({ ...nothingDecided, next });

/** The session goes to another state, fails, or goes on without a host: everything else is decided afterwards. */
export const isOutcome = ({ next, failure, setAside }: Partial<Decision>): boolean =>
  next !== undefined || failure !== undefined || setAside !== undefined;

export const namesOf = (hosts: readonly Host[]): readonly string[] => hosts.map(({ name }) => name);
