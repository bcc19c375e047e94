/** Decides when a move in flight is cut off. Pure: the limit counts while the move runs, not while it waits. */
import type { RunningMove } from '../../clouds/cloud-driver';

export interface MoveLimit {
  readonly seconds: number;
  /** True when the project has set it for its instance: then progress does not put the end off. */
  readonly isByProject: boolean;
  /** Seconds for which a move may wait in the cloud's own queue; from then on its limit counts. */
  readonly queueSeconds: number;
}

/** @param sinceMs the time when the move was asked for */
export const cutOffAtMs = (
  sinceMs: number,
  { seconds, isByProject, queueSeconds }: MoveLimit,
  { isQueued, beganAt, progressAt }: Omit<RunningMove, 'kind'>,
): number => {
  if (isQueued) return sinceMs + (queueSeconds + seconds) * 1000;
  const beganMs = Math.max(sinceMs, beganAt?.getTime() ?? 0);
  const countsFromMs = isByProject ? beganMs : Math.max(beganMs, progressAt?.getTime() ?? 0);
  return countsFromMs + seconds * 1000;
};
