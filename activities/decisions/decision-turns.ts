/**
 * Sessions of one process decide one after the other. Those that wait for their turn share looks at the cloud, and need
 * no wake-up: whatever is recorded by then, their decision sees, and what is not recorded, a newer look shows
 * (`noteChangeOfCloud`).
 */
import { createTurns } from '../../calls/turns';
import type { CloudSnapshot } from '../../snapshot/look-at-cloud';
import type { Services } from '../services';

export type HostListing = 'listHosts' | 'listHostsLately';

interface SharedLook {
  readonly cloud: Services['cloud'];
  readonly listing: HostListing;
  /** By the clock of the process, in milliseconds. */
  readonly begunAtMs: number;
  readonly snapshot: CloudSnapshot;
}

export interface DecisionTurn {
  /** How long the session has waited for it, in milliseconds. */
  readonly waitedMs: number;
  /**
   * Returns the newest look, if it began after the session asked for its turn, and after the last change of the cloud
   * that was noted. The caller may know why its decision needs a newer one.
   */
  latestLook(cloud: Services['cloud'], listing: HostListing): CloudSnapshot | undefined;
  /** Looks, for this decision and for those that wait. */
  look(cloud: Services['cloud'], listing: HostListing, look: () => Promise<CloudSnapshot>): Promise<CloudSnapshot>;
}

const inTurn = createTurns();
/** Counts the decisions of each session that wait for their turn. */
const waiting = new Map<string, number>();
let latest: SharedLook | undefined;
/** By the clock of the process, in milliseconds. */
let cloudChangedAtMs = -Infinity;

/** True while a decision about the session has yet to begin. */
export const isAboutToDecide = (sessionId: string): boolean => waiting.has(sessionId);

/**
 * Something has changed in the cloud that decisions do not add from the records to an older look: looks that began
 * before this call serve none that waits.
 */
export const noteChangeOfCloud = (): void => {
  cloudChangedAtMs = performance.now();
};

/**
 * Runs `work` when the earlier decisions of this process are over.
 *
 * @param over aborted when nobody waits for the decision any more: Temporal has given up the attempt, or the session is
 *   aborted. A decision that has not begun is not made then, and counts no more among those that are about to begin.
 * @throws the reason of `over`
 */
export const inDecisionTurn = async <T>(
  sessionId: string,
  work: (turn: DecisionTurn) => Promise<T>,
  over?: AbortSignal,
): Promise<T> => {
  over?.throwIfAborted();
  const askedAtMs = performance.now();
  const waitNoLonger = waitFor(sessionId);
  over?.addEventListener('abort', waitNoLonger);
  return inTurn('decision', async () => {
    over?.removeEventListener('abort', waitNoLonger);
    waitNoLonger();
    try {
      over?.throwIfAborted();
      return await work(turnSince(askedAtMs));
    } finally {
      // Whoever comes now needs a newer look.
      if (waiting.size === 0) latest = undefined;
    }
  });
};

/** @returns the end of the wait; calling it again does nothing */
const waitFor = (sessionId: string): (() => void) => {
  count(sessionId, 1);
  let isWaiting = true;
  return () => {
    if (isWaiting) count(sessionId, -1);
    isWaiting = false;
  };
};

const count = (sessionId: string, change: 1 | -1): void => {
  const now = (waiting.get(sessionId) ?? 0) + change;
  if (now > 0) waiting.set(sessionId, now);
  else waiting.delete(sessionId);
};

const turnSince = (askedAtMs: number): DecisionTurn => ({
  waitedMs: performance.now() - askedAtMs,
  latestLook(cloud, listing) {
    if (latest?.cloud !== cloud || latest.begunAtMs < Math.max(askedAtMs, cloudChangedAtMs)) return undefined;
    return latest.listing === listing || latest.listing === 'listHosts' ? latest.snapshot : undefined;
  },
  async look(cloud, listing, look) {
    const begunAtMs = performance.now();
    const snapshot = await look();
    latest = { cloud, listing, begunAtMs, snapshot };
    return snapshot;
  },
});
