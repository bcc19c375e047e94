/**
 * Estimates when a session ends, from its records alone: cheap enough for every look at it. A plan plays the session
 * through and foretells it better (rules/simulation/plan).
 */
import type { HostPhase } from '../../rules/decisions/fleet/fleet';

/** A host that is not done, with what is expected of it. */
export interface HostLeft {
  readonly phase: HostPhase;
  /** How long it is in that phase. */
  readonly phaseSeconds: number;
  /** Expected from its disable until it is empty. */
  readonly drainSeconds: number;
  /** Expected from the begin of its maintenance until it is back. */
  readonly maintenanceSeconds: number;
}

export interface HostsToDo {
  readonly left: readonly HostLeft[];
  /** Hosts under work at once at most; Infinity: as many as is safe. */
  readonly atOnce: number;
  /** Hosts of this session that are maintained. */
  readonly doneHosts: number;
  /** The sum of the times that were expected of them. */
  readonly doneSeconds: number;
  /** How long the session has worked so far; undefined: not known. */
  readonly workedSeconds?: number | undefined;
}

export interface SecondsLeft {
  readonly earliest: number;
  readonly expected: number;
  readonly latest: number;
}

/**
 * Divides the work that is left by the pace so far: how many expected seconds of work were done in a second. The pace
 * reflects how many hosts were under work at once, and how slow they were. Before the first host is done, the time lies
 * between that of all hosts at once and that of one after the other.
 */
export const secondsLeftOf = ({ left, atOnce, doneHosts, doneSeconds, workedSeconds = 0 }: HostsToDo): SecondsLeft => {
  const each = left.map(secondsOfHost);
  const sum = each.reduce((total, seconds) => total + seconds, 0);
  const longest = Math.max(0, ...each);
  const atBest = Math.max(longest, sum / atOnce);
  const begun = left.reduce((total, host) => total + Math.max(0, wholeOf(host) - secondsOfHost(host)), 0);
  const pace = workedSeconds > 0 && doneHosts > 0 ? (doneSeconds + begun) / workedSeconds : 0;
  if (pace === 0) return { earliest: atBest, expected: Math.sqrt(atBest * sum), latest: sum };
  const expected = Math.max(longest, sum / pace);
  // The more hosts are done, the better their pace is known.
  const doubt = 1 / Math.sqrt(1 + doneHosts);
  return { earliest: expected * (1 - doubt / 2), expected, latest: expected * (1 + doubt) };
};

const wholeOf = ({ drainSeconds, maintenanceSeconds }: HostLeft): number => drainSeconds + maintenanceSeconds;

/** A host that is late is expected to be late by as much again, because its cause goes on for a while. */
const leftOf = (expectedSeconds: number, passedSeconds: number): number => Math.abs(expectedSeconds - passedSeconds);

const secondsOfHost = (host: HostLeft): number => {
  const { phase, phaseSeconds, drainSeconds, maintenanceSeconds } = host;
  if (phase === 'maintaining') return leftOf(maintenanceSeconds, phaseSeconds);
  if (phase === 'emptying') return leftOf(drainSeconds, phaseSeconds) + maintenanceSeconds;
  return wholeOf(host);
};
