/**
 * A session with maintenance windows: new work begins only inside of one, and only work that is expected to end inside.
 * windows/openings.ts works out when windows open and close, and windows/is-window-open.ts whether one is open now.
 */
import type { Host, Waiting } from '../planning/fleet/fleet';
import { isDone } from '../planning/fleet/host-work';
import type { FleetModel } from '../planning/model/fleet-model';
import type { HostsHeldBack } from './hold-back';
import { type Expectation, secondsUntilBack } from './host-times';

/** The window that is open, or opens next. Milliseconds. */
export interface OpenTimes {
  readonly opensAtMs: number;
  /** undefined: it does not close. */
  readonly mayBeginUntilMs?: number;
  /** The time when the next window opens; undefined: this one does not close. */
  readonly opensAgainAtMs?: number;
  /** How long the longest window is; undefined: it does not close, or is not known. */
  readonly longestSeconds?: number;
}

/** The reason of all that waits for the next window. */
export const opensReason = (who: string, opensAtMs: number, nowMs: number): Waiting => {
  const because = 'its maintenance window opens then';
  return {
    waitingFor: 'time',
    who,
    subject: new Date(opensAtMs).toISOString(),
    because,
    remainingMs: opensAtMs - nowMs,
  };
};

/** The reason of all that waits while nobody can say when a window opens. */
export const windowProblem = (who: string, because: string): Waiting => {
  return { waitingFor: 'window', who, subject: 'maintenance windows', because };
};

/** A host under work on which nothing is announced: it can be given back at once. */
export const canBeGivenBack = ({ work }: Pick<Host, 'work'>): boolean => {
  return work?.phase === 'emptying' || (work?.phase === 'maintaining' && !work.announced);
};

export interface WindowView extends Expectation {
  readonly model: FleetModel;
  /** The session's hosts, without those that its canary holds back. */
  readonly own: readonly Host[];
  readonly times: OpenTimes;
}

/** The part of a decision that an open window allows. */
export interface InWindow extends HostsHeldBack {
  /** False: every host that is left has to wait for another window. */
  readonly isAnyToWorkOn: boolean;
}

export const lookAtWindow = (view: WindowView): InWindow => {
  const { model, own, nowMs, times } = view;
  const leftSeconds = ((times.mayBeginUntilMs ?? Infinity) - nowMs) / 1000;
  const left = own.filter(({ work }) => !isDone(work) && work?.phase !== 'releasing');
  const late: { host: Host; needed: number; isWaiting: boolean }[] = [];
  let lookAgainSeconds = leftSeconds;
  // In one pass, since a large session looks at all of its hosts at each decision.
  for (const host of left) {
    const isWaiting = host.work?.phase === 'waiting';
    if (!isWaiting && !canBeGivenBack(host)) continue;
    const needed = secondsUntilBack(model, host, view);
    if (needed > leftSeconds) late.push({ host, needed, isWaiting });
    else if (!isWaiting) lookAgainSeconds = Math.min(lookAgainSeconds, leftSeconds - needed);
  }
  return {
    held: late.filter(({ isWaiting }) => isWaiting).map(({ host, needed }) => heldReason(host, needed, view)),
    giveBack: late.filter(({ isWaiting }) => !isWaiting).map(({ host }) => host.name),
    isAnyToWorkOn: left.length === 0 || left.length > late.length,
    lookAgainMs: 1000 * lookAgainSeconds,
  };
};

const heldReason = ({ name }: Host, neededSeconds: number, { times, nowMs }: WindowView): Waiting => {
  const { mayBeginUntilMs = Infinity, opensAgainAtMs = mayBeginUntilMs, longestSeconds = Infinity } = times;
  if (neededSeconds > longestSeconds) return fitsNowhere(name, neededSeconds, longestSeconds);
  const because = `it is expected to take ${minutes(neededSeconds)} minutes, and the window closes in ${minutes((mayBeginUntilMs - nowMs) / 1000)}`;
  return { ...opensReason(name, opensAgainAtMs, nowMs), because };
};

const fitsNowhere = (who: string, neededSeconds: number, longestSeconds: number): Waiting => {
  const subject = `a window of ${minutes(neededSeconds)} minutes`;
  const because = `it is expected to take ${minutes(neededSeconds)} minutes, and the longest window has ${minutes(longestSeconds)}; lengthen a window by PATCH, or skip the host`;
  return { waitingFor: 'window', who, subject, because };
};

const minutes = (seconds: number): string => String(Math.ceil(seconds / 60));

/** Selects, among the hosts that an open window holds back, those that fit into no later window either. */
export const fittingNowhere = (held: readonly Waiting[]): readonly Waiting[] =>
  held.filter(({ waitingFor }) => waitingFor === 'window');

/** The same hosts at any time; `longestSeconds` is that of the longest window. */
export const namesFittingNowhere = ({
  model,
  own,
  longestSeconds,
  ...expectation
}: Omit<WindowView, 'times'> & { readonly longestSeconds: number }): readonly string[] =>
  own
    .filter((host) => host.work?.phase === 'waiting' && secondsUntilBack(model, host, expectation) > longestSeconds)
    .map(({ name }) => name);
