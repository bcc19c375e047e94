/**
 * The steps of the work on a host: what each event makes of it. The rows of the service and the hosts of virtual time
 * (rules/simulation/virtual-hosts.ts) take every step from here. The requests of admins are in
 * rules/requests/host-request.ts.
 */
import type { Decision } from '../decisions/decision';
import type { HostPhase, HostWork } from '../decisions/fleet/fleet';
import { whyGone } from '../decisions/fleet/gone-hosts';

/** Each kind of event on a host, with the facts that it brings. */
interface HostEvents {
  /** A decision has it disabled and emptied. */
  readonly drain: unknown;
  /** It is empty, and a decision has its maintenance begin. */
  readonly maintain: unknown;
  /** Something came to it before that. */
  readonly notEmpty: unknown;
  /** It is back in use. */
  readonly maintained: unknown;
  /** A decision has it go back without maintenance. */
  readonly giveBack: { readonly because: 'deadlock' | 'time' };
  /** Its session has failed while it was drained. */
  readonly stop: unknown;
  /** Something on it failed: it is given back. */
  readonly fail: { readonly failure: string };
  /** The cloud refused a move of it until the limit; the session decides about it when all others are done. */
  readonly refusedStill: { readonly failure: string };
  /** The session goes on without it; its drain is given up first. */
  readonly setAside: { readonly failure: string };
  /** The session is to go on without it, and nothing has failed. */
  readonly skip: { readonly because: string };
  /** Nothing moves on it any more, and it is in use again, or stays disabled; with the state of its session. */
  readonly givenBack: { readonly state: string | undefined };
  /** Its session, which had failed, goes on. */
  readonly continue: unknown;
}

type EventOf<Kind extends keyof HostEvents> = { [One in Kind]: { readonly kind: One } & HostEvents[One] }[Kind];

export type HostEvent = EventOf<keyof HostEvents>;

/** The fields that change; null: the field is cleared. */
export interface HostStep {
  readonly phase: HostPhase;
  readonly failure?: string | null;
  readonly refusedBecause?: string | null;
  readonly skipReason?: string;
  readonly releases?: { readonly increment: 1 } | 0;
}

/** The work as a row or a snapshot has it. */
export interface WorkBefore {
  readonly phase: HostPhase;
  readonly failure?: string | null | undefined;
  readonly skipReason?: string | null | undefined;
}

const steps: { readonly [Kind in keyof HostEvents]: (work: WorkBefore, event: EventOf<Kind>) => HostStep } = {
  drain: () => ({ phase: 'emptying' }),
  maintain: () => ({ phase: 'maintaining' }),
  notEmpty: () => ({ phase: 'emptying' }),
  maintained: () => ({ phase: 'maintained' }),
  giveBack: (_work, { because }) => ({
    phase: 'releasing',
    ...(because === 'deadlock' && { releases: { increment: 1 } }),
  }),
  stop: () => ({ phase: 'releasing' }),
  fail: (_work, { failure }) => ({ phase: 'releasing', failure }),
  refusedStill: (_work, { failure }) => ({ phase: 'releasing', refusedBecause: failure }),
  setAside: (work, { failure }) => ({ phase: isDrained(work) ? 'releasing' : 'set_aside', failure }),
  skip: (work, { because: skipReason }) => ({
    phase: isDrained(work) ? 'releasing' : 'skipped',
    skipReason,
    failure: null,
  }),
  givenBack: (work, { state }) => afterRelease(work, state),
  continue: (work) => continued(work),
};

export const stepOfHost = <Kind extends keyof HostEvents>(work: WorkBefore, event: EventOf<Kind>): HostStep =>
  steps[event.kind](work, event);

/** Its moves that have begun end first. */
const isDrained = ({ phase }: WorkBefore): boolean => phase === 'emptying';

/** The host is skipped, it has failed, or it waits for its turn again. */
const afterRelease = ({ skipReason, failure }: WorkBefore, state: string | undefined): HostStep => {
  if (skipReason != null) return { phase: 'skipped', failure: null };
  return { phase: failure == null ? 'waiting' : phaseOfFailed(state) };
};

/**
 * The phase of a host on which something failed, in that state of its session. Once the work on hosts has ended, no
 * decision sets a host aside any more: its failure itself does.
 */
export const phaseOfFailed = (state: string | undefined): 'failed' | 'set_aside' =>
  state === 'MAINTENANCE_COMPLETE' ? 'set_aside' : 'failed';

/** A host that was skipped meanwhile is enabled first. Nobody takes up a host again that stays set aside. */
const continued = ({ phase, skipReason }: WorkBefore): HostStep => {
  const anew = phase === 'set_aside' ? {} : ({ failure: null, refusedBecause: null, releases: 0 } as const);
  const isHeldBack = phase === 'failed' || phase === 'waiting' || phase === 'set_aside';
  if (skipReason != null && isHeldBack) return { phase: 'releasing', ...anew };
  return { phase: phase === 'failed' ? 'waiting' : phase, ...anew };
};

export interface HostAndEvent {
  readonly hostname: string;
  readonly event: HostEvent;
}

/** What a decision has happen to hosts. */
export const hostEventsOf = (decision: Decision): readonly HostAndEvent[] => {
  const { drain, begin, giveBackForDeadlock, giveBackForTime = [], setAside = [], gone = [] } = decision;
  const each = (hostnames: readonly string[], event: HostEvent): readonly HostAndEvent[] =>
    hostnames.map((hostname) => ({ hostname, event }));
  return [
    ...setAside.flatMap(({ hostname, failure }) => each([hostname], { kind: 'setAside', failure })),
    ...each(gone, { kind: 'skip', because: whyGone }),
    ...each(begin, { kind: 'maintain' }),
    ...each(drain, { kind: 'drain' }),
    ...each(giveBackForDeadlock, { kind: 'giveBack', because: 'deadlock' }),
    ...each(giveBackForTime, { kind: 'giveBack', because: 'time' }),
  ];
};

/** The work of a snapshot after the step. */
export const workAfter = (work: HostWork, { releases, failure, refusedBecause, ...step }: HostStep): HostWork => {
  const { failure: failed, refusedBecause: refused, ...rest } = work;
  const because = failure === undefined ? failed : failure;
  const refusal = refusedBecause === undefined ? refused : refusedBecause;
  return {
    ...rest,
    ...step,
    ...(releases !== undefined && { releases: releases === 0 ? 0 : work.releases + releases.increment }),
    ...(because != null && { failure: because }),
    ...(refusal != null && { refusedBecause: refusal }),
  };
};
