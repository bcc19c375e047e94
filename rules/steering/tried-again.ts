/**
 * A host whose maintenance once took longer than every window would never begin again, and nothing new be learned of
 * it. So such a time is not believed for ever: after a while the host is tried with the usual time, one host at a time.
 * work-in-maintenance-window.ts and the blockers of a plan ask here.
 */
import type { Host } from '../decisions/fleet/fleet';

const dayMs = 86_400_000;
/** Long enough for somebody to lengthen a window, or to skip the host. */
export const daysUntilTriedAgain = 7;

export interface SessionWindows {
  /** The time when the session began. */
  readonly begunAtMs: number;
  /** How long the longest window is; undefined: it does not close, or is not known. */
  readonly longestSeconds?: number;
}

export interface TriedAgain {
  /** The time from which the host is tried. */
  readonly fromMs: number;
  /** The time that it is then expected to take until it is back. */
  readonly seconds: number;
  readonly learnedSeconds: number;
  readonly usualSeconds: number;
}

/**
 * - Counts from the newest maintenance that the time was learned from, so that a host which was slow once more is left
 *   alone for as long again; and from the beginning of the session, so that its admin can act before.
 * @param needed seconds until the host is back, with the time that was learned
 * @returns undefined where that fits into a window, or was not learned, or where the usual time fits into none either
 */
export const triedAgain = (
  { expectedMaintenanceSeconds: learnedSeconds, learnedMaintenance }: Host,
  needed: number,
  { begunAtMs, longestSeconds = Infinity }: SessionWindows,
): TriedAgain | undefined => {
  if (learnedSeconds === undefined || learnedMaintenance === undefined || needed <= longestSeconds) return undefined;
  const { seenAtMs, usualSeconds } = learnedMaintenance;
  const seconds = needed - learnedSeconds + usualSeconds;
  if (seconds > longestSeconds) return undefined;
  return {
    seconds,
    learnedSeconds,
    usualSeconds,
    fromMs: Math.max(begunAtMs, seenAtMs) + daysUntilTriedAgain * dayMs,
  };
};

/** True of a host under work whose time was learned and is longer than every window. */
export const isBeingTried = (
  { expectedMaintenanceSeconds: seconds, learnedMaintenance, work }: Host,
  { longestSeconds = Infinity }: SessionWindows,
): boolean =>
  (work?.phase === 'emptying' || work?.phase === 'maintaining') &&
  learnedMaintenance !== undefined &&
  (seconds ?? 0) > longestSeconds;
