/**
 * A session with maintenance windows: new work begins only inside of one, and only work that is expected to end inside.
 * rules/maintenance-windows/openings.ts works out when windows open and close, and
 * rules/maintenance-windows/is-window-open.ts whether one is open now.
 */
import type { Host } from '../decisions/fleet/fleet';
import { isDone, isInPhase } from '../decisions/fleet/host-work';
import type { FleetModel } from '../decisions/model/fleet-model';
import { helpForWindows, orSkip } from '../obstacles/blocker';
import { opensReason, windowReason } from '../reasons/of-standstill';
import type { Reason } from '../reasons/reason';
import { type HostsHeldBack, isForNoHour } from './hold-back';
import { type Expectation, secondsUntilBack } from './host-times';
import { isBeingTried, type TriedAgain, triedAgain } from './tried-again';

/** The window that is open, or opens next. Milliseconds. */
export interface OpenTimes {
  /** Infinity: it does not open any more. */
  readonly opensAtMs: number;
  /** undefined: it does not close. */
  readonly mayBeginUntilMs?: number;
  /** The time when the next window opens; undefined: this one does not close, or is the last one. */
  readonly opensAgainAtMs?: number;
  /** How long the longest window is; undefined: it does not close, or is not known. */
  readonly longestSeconds?: number;
  /** The freeze that begins when it closes, in words; undefined: a window ends then. */
  readonly closedBy?: string;
}

/** A host under work on which nothing is announced: it can be given back at once. */
export const canBeGivenBack = ({ work }: Pick<Host, 'work'>): boolean => {
  return work?.phase === 'emptying' || (work?.phase === 'maintaining' && !work.announced);
};

export interface WindowView extends Expectation {
  readonly model: FleetModel;
  /** The session's hosts, without those that its canary holds back. */
  readonly own: readonly Host[];
  readonly times: OpenTimes;
  /** The time when the session has begun. */
  readonly begunAtMs: number;
}

/** The part of a decision that an open window allows. */
export interface InWindow extends HostsHeldBack {
  /** False: every host that is left has to wait for another window. */
  readonly isAnyToWorkOn: boolean;
}

/** A host with the seconds until it is back. */
interface TimedHost {
  readonly host: Host;
  readonly needed: number;
  /** Set where a learned time is longer than every window, and not believed for ever. */
  readonly again?: TriedAgain;
}

export const lookAtWindow = (view: WindowView): InWindow => {
  const { own, nowMs, times } = view;
  const leftSeconds = ((times.mayBeginUntilMs ?? Infinity) - nowMs) / 1000;
  const left = own.filter(({ work }) => !isDone(work) && work?.phase !== 'releasing');
  const late: TimedHost[] = [];
  let lookAgainSeconds = leftSeconds;
  // One pass, since a large session looks at all of its hosts at each decision.
  for (const timed of timedHosts(view, left)) {
    const { host, needed, again } = timed;
    if (needed > leftSeconds) late.push(timed);
    else if (!isWaiting(host)) lookAgainSeconds = Math.min(lookAgainSeconds, leftSeconds - needed);
    if (again && again.fromMs > nowMs) lookAgainSeconds = Math.min(lookAgainSeconds, (again.fromMs - nowMs) / 1000);
  }
  return {
    held: late.filter(({ host }) => isWaiting(host)).map((timed) => heldReason(timed, view)),
    giveBack: late.filter(({ host }) => !isWaiting(host)).map(({ host }) => host.name),
    isAnyToWorkOn: left.length === 0 || left.length > late.length,
    lookAgainMs: 1000 * lookAgainSeconds,
  };
};

const isWaiting = isInPhase('waiting');

interface TimesView extends Omit<WindowView, 'times'> {
  readonly times: Pick<OpenTimes, 'longestSeconds'>;
}

/** Those that wait or can be given back. One at a time is tried again, with its usual time. */
const timedHosts = (view: TimesView, hosts: readonly Host[]): readonly TimedHost[] => {
  const { model, nowMs, begunAtMs, times } = view;
  const windows = { begunAtMs, ...times };
  let isAnyTried = hosts.some((host) => isBeingTried(host, windows));
  return hosts.flatMap((host) => {
    if (!isWaiting(host) && !canBeGivenBack(host)) return [];
    const needed = secondsUntilBack(model, host, view);
    const again = triedAgain(host, needed, windows);
    if (again === undefined) return { host, needed };
    const isTried = again.fromMs <= nowMs && (!isWaiting(host) || !isAnyTried);
    isAnyTried ||= isTried;
    return { host, needed: isTried ? again.seconds : needed, again };
  });
};

const heldReason = ({ host: { name }, needed, again }: TimedHost, { times, nowMs }: WindowView): Reason => {
  const { mayBeginUntilMs = Infinity, opensAgainAtMs, longestSeconds = Infinity, closedBy } = times;
  if (needed > longestSeconds) return fitsNowhere(name, { needed, longestSeconds, nowMs, ...(again && { again }) });
  const closing = closedBy === undefined ? 'the window closes' : `${closedBy} begins`;
  const because = `it is expected to take ${minutes(needed)} minutes, and ${closing} in ${minutes((mayBeginUntilMs - nowMs) / 1000)}`;
  if (opensAgainAtMs !== undefined) return opensReason(name, opensAgainAtMs, because);
  return windowReason(name, `${because}, and no other window opens after this one`, orSkip(helpForWindows.over));
};

interface FitsNowhere extends Omit<TimedHost, 'host'> {
  readonly longestSeconds: number;
  readonly nowMs: number;
}

const fitsNowhere = (who: string, { needed, longestSeconds, again, nowMs }: FitsNowhere): Reason => {
  const subject = `a window of ${minutes(needed)} minutes`;
  const tooLong = `it is expected to take ${minutes(needed)} minutes, and the longest window has ${minutes(longestSeconds)}`;
  const tried = again === undefined ? [] : [triedAgainWords(again, nowMs)];
  const because = [tooLong, ...tried].join('; ');
  const untilMs = again && Math.max(nowMs, again.fromMs);
  return { waitingFor: 'window', who, subject, because, help: orSkip(helpForWindows.tooShort), untilMs };
};

export const triedAgainWords = ({ fromMs, learnedSeconds, usualSeconds }: TriedAgain, nowMs: number): string => {
  const when =
    fromMs > nowMs
      ? `in the first window from ${new Date(fromMs).toISOString()} on`
      : 'after the host that is tried before it';
  return `its maintenance took ${minutes(learnedSeconds)} minutes before, and is tried again with the usual ${minutes(usualSeconds)} ${when}`;
};

export const minutes = (seconds: number): string => String(Math.ceil(seconds / 60));

/** Selects, among the hosts that are held back, those that fit into no later window or hour of an owner either. */
export const fittingNowhere = (held: readonly Reason[]): readonly Reason[] =>
  held.filter((reason) => reason.waitingFor === 'window' || isForNoHour(reason));

/** True where one of them is tried again after a while. */
export const isAnyTriedAgain = (held: readonly Reason[]): boolean =>
  fittingNowhere(held).some(({ untilMs }) => untilMs !== undefined);

/** Hosts that wait since a learned time is longer than every window, each with the rule by which it is tried again. */
export const hostsTriedAgain = (view: TimesView): readonly (TriedAgain & { readonly name: string })[] =>
  timedHosts(view, view.own).flatMap(({ host, again }) =>
    again && isWaiting(host) ? [{ ...again, name: host.name }] : [],
  );

/** Hosts that fit into no window at all; `longestSeconds` is that of the longest window. */
export const namesFittingNowhere = ({
  longestSeconds,
  ...view
}: Omit<WindowView, 'times'> & { readonly longestSeconds: number }): readonly string[] =>
  timedHosts({ ...view, times: { longestSeconds } }, view.own)
    .filter(({ host, needed }) => isWaiting(host) && needed > longestSeconds)
    .map(({ host }) => host.name);
