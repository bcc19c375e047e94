/**
 * The interface between the service and a cloud: one driver for each kind of cloud, and one contract suite for all of
 * them (test/integration/clouds/contract.ts). A cloud's own vocabulary stays in its driver. The actions that a cloud
 * offers, and the default one, are in `actions.ts` of its driver's folder.
 *
 * Moves are *start (with the claim's ID), observe, force, abort*. Starting a move again attaches to the one that runs,
 * so that a caller may be killed at any time and come back.
 */

import type { CloudGroup, CloudHost, CloudInstance, CloudLists, HostContent } from '../rules/cloud/cloud-facts';
import type { Eviction } from '../rules/cloud/eviction';
import type { MoveAction } from '../rules/cloud/move-action';
import type { ProjectTerms } from '../rules/cloud/terms';

export interface MoveRequest {
  /** Identity of the move: one claim never moves twice, except when it is forced. */
  readonly claimId: string;
  readonly instanceId: string;
  readonly action: MoveAction;
  readonly source: string;
  /**
   * A hint for an OWN_ACTION, whose project makes the replacement on any host with capacity. Empty for an OWN_ACTION
   * without a kept place: its project deletes the instance first, or has made the replacement already.
   */
  readonly target: string;
  /** Carries what the session says about instances that the cloud keeps. Null or left out: it says nothing. */
  readonly eviction?: Eviction | null;
}

/**
 * The status of a move.
 * - running: in flight (also: accepted, but not begun yet).
 * - later: nothing has begun and nothing is wrong: the cloud is busy with the instance, or a host has as many moves in
 * flight as it may. Start it again later. Only an answer to `startMove` and `forceMove`.
 * - done: the instance is on `host`, which may differ from the requested target. `trouble`: it is not well there, in
 * the cloud's own words.
 * - failed: over, the instance is on its source; `reason` is in the cloud's own words. `isBlocked`: the cloud moves the
 * instance in no way now, so that a forced move would fail as well. `isRefusedStill`: the cloud has refused it for now,
 * again and again, and nothing was done to the instance.
 * - refused: over, the instance is on its source; the cloud does not accept it on that target, but may accept it on
 * another. `passesInSeconds`: when the refusal may pass by itself, the time until it is worth asking again.
 * - again: over, the instance is on its source, and nothing says that the same action would fail: worth asking for
 * again.
 * - gone: the instance no longer exists.
 * - unknown: this claim has never started a move.
 */
export type MoveStatus =
  | RunningMove
  | LaterMove
  | { readonly kind: 'done'; readonly host: string; readonly trouble?: string }
  | { readonly kind: 'failed'; readonly reason: string; readonly isBlocked?: true; readonly isRefusedStill?: true }
  | { readonly kind: 'refused'; readonly reason: string; readonly passesInSeconds?: number }
  | { readonly kind: 'again'; readonly reason: string }
  | { readonly kind: 'gone' }
  | { readonly kind: 'unknown' };

export interface RunningMove {
  readonly kind: 'running';
  /** The cloud has not begun it. */
  readonly isQueued?: boolean;
  /** The cloud refuses it for now, and is asked again. It is given up when its host is not to be emptied any more. */
  readonly isRefusedForNow?: true;
  /** The time since which it runs, when the cloud tells it. Left out: since it was started. */
  readonly beganAt?: Date;
  /** The time when less was left to do than ever before, when the cloud tells it. */
  readonly progressAt?: Date;
  /** How far it is, with numbers, in words that follow its name. */
  readonly progress?: string;
  /** The time since when the reason of `progress` is there, when somebody tells it, for a move that does not go on. */
  readonly heldUpSince?: Date;
  /** The cloud says that the move is over, and does not let go of the instance: `progress` tells it at once. */
  readonly isStuck?: true;
}

/** A move that went on although its claim is over. */
export interface LeftOverMove {
  readonly claimId: string;
  /** What it is, and what came of it. */
  readonly words: string;
  /** The host where it has arrived. */
  readonly host?: string;
}

export interface LaterMove {
  readonly kind: 'later';
  readonly waitsFor: 'instance' | 'hosts';
  readonly because: string;
}

/** Tells how far a session is with a host. `releasing`: the host goes back to use. */
export interface ShownStanding {
  readonly sessionId: string;
  readonly doing: 'planned' | 'draining' | 'maintaining' | 'releasing';
  /** Set where instances had better go to other hosts: it is still to be maintained, and the cloud chooses. */
  readonly isToBeAvoided?: true;
}

/** The maximum age of the answers of `listInstancesLately`. */
export const latelyMs = 5_000;

/** A kind of cloud. `CloudLists` has what decisions look at. */
export interface CloudDriver extends CloudLists {
  readonly name: string;
  /** The interval at which a move may be observed: a fraction of the time that it has taken, within limits. */
  readonly pollPace: { readonly leastMs: number; readonly mostMs: number; readonly shareOfElapsed: number };

  /**
   * Instances on a host as they were within the last `latelyMs`, which may cost the cloud no request. Good enough to
   * know whom to ask and which hosts have capacity, not to act on the host.
   */
  listInstancesLately(host: string): Promise<CloudInstance[]>;
  /** Groups as they were within the last `latelyMs`. Many callers get one list, and none changes it. */
  listGroupsLately(): Promise<readonly CloudGroup[]>;
  /**
   * Answers what is on a host, from sources that do not depend on each other and must agree. The only answer by which a
   * host may be taken for empty.
   */
  whatIsOn(host: string): Promise<HostContent>;
  findInstance(instanceId: string): Promise<CloudInstance | undefined>;
  /** The host as `listHosts` lists it now, without a list of all. Undefined: the cloud has no such host. */
  findHost(name: string): Promise<CloudHost | undefined>;
  /** Instances that are moving or wait for the end of a move, whoever asked for the move. */
  listMoving(): Promise<CloudInstance[]>;

  /**
   * Disables the host: the cloud puts no further instances on it. Succeeds when it is disabled already. @throws
   * CloudRefusal
   */
  disableHost(host: string, reason: string): Promise<void>;
  /** @throws CloudRefusal */
  enableHost(host: string): Promise<void>;

  /**
   * Starts a move. When the claim already has one, returns the status of that one; `later` when it may not begin yet.
   * OWN_ACTION starts nothing: it records that the project is at work, and `observeMove` tells when the instance is
   * gone or on another host. It takes no capacity, and its target refuses nothing: the replacement may be there
   * already.
   * @throws CloudRefusal when the cloud refuses at once
   */
  startMove(move: MoveRequest): Promise<MoveStatus>;
  /** Observes the newest of the claim's moves: the forced one when there is one. */
  observeMove(move: MoveRequest): Promise<MoveStatus>;
  /**
   * Gives up the claim's move and takes the instance to the target by the forced action (`CloudActions`). Attaches to a
   * forced move that runs already. @throws CloudRefusal
   */
  forceMove(move: MoveRequest): Promise<MoveStatus>;
  /** Stops the claim's move when that is possible, and returns its status. */
  abortMove(move: MoveRequest): Promise<MoveStatus>;
  /**
   * Looks after moves that go on although their claim is over, and ends what moves leave open, such as a confirmation
   * or a raised number of replicas. Left out: a move of this cloud ends by itself. @returns those that were found, or
   * have ended, since the last call
   */
  watchLeftOvers?(): Promise<readonly LeftOverMove[]>;

  /**
   * Names of these projects, for people, as far as the cloud tells them soon. It never rejects. Left out: there are
   * none.
   */
  projectNames?(projectIds: readonly string[]): Promise<ReadonlyMap<string, string>>;
  /**
   * Whom to ask about these projects, for people, as far as their terms in the cloud say it and it tells them soon. It
   * never rejects. Left out: none says it.
   */
  projectContacts?(projectIds: readonly string[]): Promise<ReadonlyMap<string, string>>;
  /** Terms that projects tell the cloud of themselves, by the IDs of the projects. Left out: none tells any. */
  projectTerms?(): Promise<ReadonlyMap<string, ProjectTerms>>;
  /** The `CloudHost.maintenanceSeconds` of one host. */
  maintenanceSeconds?(host: string): Promise<number | undefined>;
  /**
   * Shows on the hosts themselves what sessions do with them, for others who look at the cloud, and takes it back from
   * all other hosts. A repeat changes nothing. Left out: the cloud has no place for it.
   * @param only when it is given, no other host is touched
   */
  showStandings?(standings: ReadonlyMap<string, ShownStanding>, only?: string): Promise<void>;
  /** Set where the cloud chooses hosts by what is shown, so that it is shown before the first instance moves. */
  readonly standingsSteer?: true;
  /** Resolves when the cloud can be reached and accepts the service's login. */
  ping(): Promise<void>;
  /** Ends what the driver keeps open. Left out: it keeps nothing open. */
  close?(): Promise<void>;
}

/** The part of a driver that lists what there is. */
export type DriverLists = Pick<
  CloudDriver,
  | 'listHosts'
  | 'listHostsLately'
  | 'findHost'
  | 'listInstances'
  | 'listInstancesLately'
  | 'whatIsOn'
  | 'findInstance'
  | 'listMoving'
  | 'listGroups'
  | 'listGroupsLately'
>;

/**
 * The cloud understood the call and refused it: repeating it does not help. A caller may retry after any other error of
 * a driver.
 */
export class CloudRefusal extends Error {
  override readonly name = 'CloudRefusal';
}

/** The cloud refused because of the target: another target may be accepted. */
export class TargetRefusal extends CloudRefusal {
  /** @param passesInSeconds see MoveStatus */
  constructor(
    message: string,
    readonly passesInSeconds?: number,
  ) {
    super(message);
  }
}

/** The cloud refused because of the instance, which it moves in no way: neither another target nor force helps. */
export class BlockedRefusal extends CloudRefusal {}
