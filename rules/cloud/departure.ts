/**
 * How an instance leaves its host once that is drained. The drivers tell it as it is for a session that says nothing;
 * a session may see it otherwise (seen-in-session.ts), and so may its workflow (fleet-of-session.ts).
 */
import type { KeepOrDelete } from './eviction';

/**
 * Everything that may be known of the departure of an instance. These departures occur:
 * - OpenStack and the simulated cloud: `moves` and `byProject`, each of them also `held` in a state that nobody moves.
 *   The instance is always placed `elsewhere`, and never ends by itself.
 * - Kubernetes: `moves`, `mayBeRefused` and `byProject`, each with any place, whether it ends by itself or not. The
 *   driver holds nothing: sessions do, while they wait for the end of a pod, or where it came back too often. `k8s`
 *   holds what is left to a project that it does not ask.
 */
export type Departure = Unheld | Held;

/** Nobody moves it now. Where that passes, it leaves in the way of `then`. */
export interface Held {
  readonly kind: 'held';
  readonly why: CannotMoveNow;
  readonly then: Unheld;
}

/** How it leaves as soon as its limits allow it. */
export type Unheld = WayToLeave & {
  readonly place: PlaceAfter;
  /** Left out: it runs on. */
  readonly endsByItself?: EndsByItself;
};

export type WayToLeave =
  | { readonly kind: 'moves' }
  | ({ readonly kind: 'mayBeRefused' } & MayBeRefused)
  /** The cloud never moves it, for the reason, in words that follow "since": its project may act (OWN_ACTION). */
  | { readonly kind: 'byProject'; readonly because: string };

/**
 * Where it serves again.
 * - elsewhere: on another host, which must have room for it before it leaves. `ifNone`: what its session says of it
 *   where no other host could ever take it, not even an empty one. Left out: it is kept, and no session changes that.
 * - elsewhereOrBack: the same; where there is no room it leaves all the same, and comes back with its host.
 * - back: no other host could ever take it. It leaves all the same, and comes back with its host.
 * - kept: no other host could ever take it, and its session keeps it.
 * - nowhere: nothing makes it again. `endsThere`: it is never moved, and a plan expects its end on its host.
 */
export type PlaceAfter =
  | { readonly kind: 'elsewhere'; readonly ifNone?: KeepOrDelete }
  | { readonly kind: 'elsewhereOrBack' | 'back' | 'kept' }
  | { readonly kind: 'nowhere'; readonly endsThere?: true };

/** The reason why nobody can move an instance in its present state, and what would help. */
export interface CannotMoveNow {
  /** The reason, in words that follow "since". */
  readonly because: string;
  /** Who can change that: whoever operates the cloud, or the project of the instance. */
  readonly owner: 'operator' | 'project';
  /** One sentence without its full stop: what the owner can do. */
  readonly help: string;
  /** Set where the state is expected to pass by itself: the time until which a session waits for that, in ms. */
  readonly passesAtMs?: number;
  /** Set where it was tried often enough: its host is not given back to be drained again later, but has failed. */
  readonly isLastTry?: true;
}

/**
 * The cloud would refuse to move the instance now, and nobody can say until when: its owner may let it go once its host
 * is disabled, or all others have left. So it is asked for when its host is drained, after all other hosts.
 */
export interface MayBeRefused {
  /** The reason, in words that follow "since". */
  readonly because: string;
  /** One sentence without its full stop: what its project can do. */
  readonly help: string;
}

/** An instance is expected to end by itself, so that a session waits for that before it moves it. */
export interface EndsByItself {
  /** The reason, in words that follow "since". */
  readonly because: string;
  /** The time for which a session waits that says nothing. */
  readonly waitSeconds: number;
  /** The same where the cloud keeps the instance, which is never moved then. Left out: no other time. */
  readonly waitSecondsIfKept?: number;
  /** The time since which it is there, in milliseconds; left out: longer than any session. */
  readonly sinceMs?: number;
}

export interface Departing {
  readonly departure: Departure;
}

export const movesElsewhere: Unheld = { kind: 'moves', place: { kind: 'elsewhere' } };

/** The departure of an instance that its cloud moves, unless one of these reasons keeps it: for good, or for now. */
export const movesUnless = (never: string | undefined, notNow: CannotMoveNow | undefined): Departure => {
  const then: Unheld = never === undefined ? movesElsewhere : { ...movesElsewhere, kind: 'byProject', because: never };
  return notNow === undefined ? then : { kind: 'held', why: notNow, then };
};

/** The way in which it leaves once nothing holds it. */
export const leavingOf = ({ departure }: Departing): Unheld => (departure.kind === 'held' ? departure.then : departure);

export const whyHeld = ({ departure }: Departing): CannotMoveNow | undefined =>
  departure.kind === 'held' ? departure.why : undefined;

/** The reason why the cloud never moves it, held or not; undefined: it does. */
export const whyByProject = (instance: Departing): string | undefined => {
  const leaving = leavingOf(instance);
  return leaving.kind === 'byProject' ? leaving.because : undefined;
};

export const whyRefused = (instance: Departing): MayBeRefused | undefined => {
  const leaving = leavingOf(instance);
  return leaving.kind === 'mayBeRefused' ? leaving : undefined;
};

/** It may leave before there is a place for it; its limits count it until its host is back. */
export const comesBackWithHost = (instance: Departing): boolean => {
  const { kind } = leavingOf(instance).place;
  return kind === 'elsewhereOrBack' || kind === 'back';
};

export const isNotMadeAgain = (instance: Departing): boolean => leavingOf(instance).place.kind === 'nowhere';

/** Its session may say what becomes of it where no other host could ever take it. */
export const isUpToSession = (instance: Departing): boolean => {
  const { place } = leavingOf(instance);
  return place.kind === 'kept' || (place.kind === 'elsewhere' && place.ifNone !== undefined);
};

/** It is never moved: a plan expects its end on its host. */
export const endsThere = (instance: Departing): boolean => {
  const { place } = leavingOf(instance);
  return place.kind === 'nowhere' && place.endsThere === true;
};

/** The end that its session waits for, with the time for that; undefined: it waits for none. */
export const expectedEndOf = (instance: Departing): EndsByItself | undefined => {
  const { kind, endsByItself } = leavingOf(instance);
  if (endsByItself === undefined) return undefined;
  const { waitSecondsIfKept = 0, ...ends } = endsByItself;
  const waitSeconds = Math.max(ends.waitSeconds, kind === 'byProject' ? waitSecondsIfKept : 0);
  return waitSeconds === 0 ? undefined : { ...ends, waitSeconds };
};

/** The instance, held for this reason and no other. */
export const heldBy = <Seen extends Departing>(instance: Seen, why: CannotMoveNow): Seen => ({
  ...instance,
  departure: { kind: 'held', why, then: leavingOf(instance) },
});

/** The instance, held by nothing. */
export const released = <Seen extends Departing>(instance: Seen): Seen => ({
  ...instance,
  departure: leavingOf(instance),
});

/** The instance, with another way to leave; what holds it does so still. */
export const leavingBy = <Seen extends Departing>(instance: Seen, then: Unheld): Seen => {
  const { departure } = instance;
  return { ...instance, departure: departure.kind === 'held' ? { ...departure, then } : then };
};

/** The instance, with another place after it has left. */
export const placedAt = <Seen extends Departing>(instance: Seen, place: PlaceAfter): Seen =>
  leavingBy(instance, { ...leavingOf(instance), place });
