/** One session while it is played in virtual time: all of it that changes, beside the fleet (virtual-sessions.ts). */
import type { Decision } from '../decisions/decision';
import type { SessionState } from '../decisions/fleet/fleet';
import type { Reason } from '../reasons/reason';
import type { AskedHosts } from './asked-hosts';
import type { Ending, EnteredState, PassedPause, SessionToPlay } from './session-to-play';
import type { DecisionSteering } from './steered-step';

export interface PlayedSession extends SessionToPlay {
  current: SessionState | undefined;
  order: readonly string[] | undefined;
  canaryEndedAtMs: number | undefined;
  /** The earliest time at which it decides again without an event. */
  againAtMs: number;
  /** Windows in which it found nothing to do, one after the other, by the time at which they opened. */
  readonly vainOpenings: Set<number>;
  /** The hosts that fit into no window, by the last decision in an open window. */
  fittingNowhere: readonly Reason[];
  /** The time when it began to ask for capacity. */
  scaleInSinceMs: number | undefined;
  readonly asked: AskedHosts;
  ending?: Ending;
  readonly states: EnteredState[];
  readonly pauses: PassedPause[];
}

export const playedSession = (
  session: SessionToPlay,
  { startMs, asked }: { readonly startMs: number; readonly asked: AskedHosts },
): PlayedSession => ({
  ...session,
  current: session.state,
  order: session.drainOrder,
  canaryEndedAtMs: session.steering?.canary?.endedAtMs,
  againAtMs: Infinity,
  vainOpenings: new Set(),
  fittingNowhere: [],
  scaleInSinceMs: undefined,
  states: session.state ? [{ state: session.state, fromMs: startMs }] : [],
  pauses: [],
  asked,
});

export const enter = (session: PlayedSession, state: SessionState, nowMs: number): SessionState => {
  session.current = state;
  session.states.push({ state, fromMs: nowMs });
  return state;
};

export const end = (session: PlayedSession, ending: Ending): false => {
  session.ending = ending;
  return false;
};

export const endCanary = (
  session: PlayedSession,
  { pauseBecause }: NonNullable<Decision['canaryEnded']>,
  nowMs: number,
): void => {
  session.canaryEndedAtMs = nowMs;
  if (pauseBecause !== undefined) session.pauses.push({ atMs: nowMs, because: pauseBecause });
};

/** The steering that bounds its decisions now. */
export const steeringOf = ({ steering = {}, canaryEndedAtMs }: PlayedSession): DecisionSteering => {
  const { canary } = steering.canary ?? {};
  const endedAtMs = canaryEndedAtMs === undefined ? {} : { endedAtMs: canaryEndedAtMs };
  return { ...steering, ...(canary !== undefined && { canary: { canary, ...endedAtMs } }) };
};

/** True when it has windows, and none opens any more. */
export const areWindowsOver = ({ steering }: PlayedSession, nowMs: number): boolean =>
  steering?.windows?.openTimesAt(nowMs).opensAtMs === Infinity;

/** True when it has found nothing to do in more windows than open in a week, after which they repeat. */
export const isEachWindowInVain = ({ vainOpenings, steering }: PlayedSession): boolean =>
  vainOpenings.size > (steering?.windows?.openingsInWeek ?? Infinity);
