/** The maintenance windows of a planned session, in milliseconds; without windows, any time is inside of one. */
import type { MaintenanceWindow } from '../../maintenance-windows/maintenance-window';
import { openingAt, openSecondsBetween, whenOpenFor } from '../../maintenance-windows/openings';
import type { OpenTimes } from '../../steering/work-in-maintenance-window';
import type { PlayedWindows } from '../steered-step';

type Windows = readonly MaintenanceWindow[] | undefined;

const daysInWeek = 7;

export const playedWindowsOf = (windows: readonly MaintenanceWindow[]): PlayedWindows => {
  let known: OpenTimes | undefined;
  return {
    openTimesAt: (nowMs) => {
      if (known === undefined || nowMs >= (known.mayBeginUntilMs ?? Infinity)) known = openTimesAt(windows, nowMs);
      return known;
    },
    openingsInWeek: windows.length * daysInWeek,
  };
};

/** The first time from then on at which something may begin; the time itself where nothing may any more. */
export const mayBeginAtMs = (windows: Windows, atMs: number): number => {
  const opensAtMs = windows === undefined ? atMs : openTimesAt(windows, atMs).opensAtMs;
  return opensAtMs === Infinity ? atMs : Math.max(atMs, opensAtMs);
};

/** The time by which the windows were open for so long; undefined: they will never have been. */
export const afterOpenMs = (windows: Windows, fromMs: number, openMs: number): number | undefined =>
  windows === undefined ? fromMs + openMs : whenOpenFor(windows, new Date(fromMs))(openMs / 1000)?.getTime();

export const openMsBetween = (windows: readonly MaintenanceWindow[], fromMs: number, toMs: number): number =>
  1000 * openSecondsBetween(windows, new Date(fromMs), new Date(toMs));

export const openTimesAt = (windows: readonly MaintenanceWindow[], nowMs: number): OpenTimes => {
  const opening = openingAt(windows, new Date(nowMs));
  if (opening === undefined) return { opensAtMs: Infinity };
  const { opensAt, closesAt, opensAgainAt, longestSeconds } = opening;
  return {
    opensAtMs: opensAt.getTime(),
    ...(closesAt !== null && { mayBeginUntilMs: closesAt.getTime() }),
    ...(opensAgainAt !== null && { opensAgainAtMs: opensAgainAt.getTime() }),
    ...(longestSeconds !== null && { longestSeconds }),
  };
};
