/** How far live migrations had come when Nova was asked last: a look costs a request for each of them. */
import type { RunningMove } from '../../cloud-driver';

/** Nova is asked again about a running migration after this time, and each time about one that waits to begin. */
const keptMs = 15_000;

export interface KeptProgress {
  /** The status that was seen lately; undefined: Nova has to be asked. */
  seenLately(moveId: string): RunningMove | undefined;
  keep(moveId: string, status: RunningMove): void;
  forget(moveId: string): void;
}

export const createKeptProgress = (nowMs: () => number = () => performance.now()): KeptProgress => {
  const seen = new Map<string, { readonly status: RunningMove; readonly atMs: number }>();
  return {
    seenLately(moveId) {
      const last = seen.get(moveId);
      return last !== undefined && nowMs() - last.atMs < keptMs ? last.status : undefined;
    },
    keep(moveId, status) {
      if (status.isQueued !== true) seen.set(moveId, { status, atMs: nowMs() });
    },
    forget(moveId) {
      seen.delete(moveId);
    },
  };
};
