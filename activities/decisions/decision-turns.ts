/**
 * Sessions of one process decide one after the other. Those that wait for their turn share looks at the cloud, and need
 * no wake-up: whatever is recorded by then, their decision sees, and what is not recorded, a newer look shows
 * (`noteChangeOfCloud`).
 */
import { createTurns } from '../../calls/turns';
import type { CloudDriver } from '../../clouds/cloud-driver';
import type { CloudSnapshot } from '../../snapshot/look-at-cloud';

export type HostListing = 'listHosts' | 'listHostsLately';

interface SharedLook {
  readonly cloud: CloudDriver;
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
  latestLook(cloud: CloudDriver, listing: HostListing): CloudSnapshot | undefined;
  /** Looks, for this decision and for those that wait. */
  look(cloud: CloudDriver, listing: HostListing, look: () => Promise<CloudSnapshot>): Promise<CloudSnapshot>;
}

export interface DecisionTurns {
  /** True while a decision about the session has yet to begin. */
  readonly isAboutToDecide: (sessionId: string) => boolean;
  /**
   * Something has changed in the cloud that decisions do not add from the records to an older look: looks that began
   * before this call serve none that waits.
   */
  readonly noteChangeOfCloud: () => void;
  /**
   * Runs `work` when the earlier decisions are over.
   *
   * @param over aborted when nobody waits for the decision any more: Temporal has given up the attempt, or the session
   *   is aborted. A decision that has not begun is not made then, and counts no more among those that are about to
   *   begin.
   * @throws the reason of `over`
   */
  take<T>(sessionId: string, work: (turn: DecisionTurn) => Promise<T>, over?: AbortSignal): Promise<T>;
}

export const createDecisionTurns = (): DecisionTurns => {
  const inTurn = createTurns();
  const waiting = createWaiting();
  const looks = createSharedLooks();
  return {
    isAboutToDecide: waiting.has,
    noteChangeOfCloud: looks.outdate,
    async take(sessionId, work, over) {
      over?.throwIfAborted();
      const askedAtMs = performance.now();
      const waitNoLonger = waiting.add(sessionId);
      over?.addEventListener('abort', waitNoLonger);
      return inTurn('decision', async () => {
        over?.removeEventListener('abort', waitNoLonger);
        waitNoLonger();
        try {
          over?.throwIfAborted();
          return await work(looks.turnSince(askedAtMs));
        } finally {
          // Whoever comes now needs a newer look.
          if (waiting.isEmpty()) looks.forget();
        }
      });
    },
  };
};

/** Counts the decisions of each session that wait for their turn. */
const createWaiting = () => {
  const counts = new Map<string, number>();
  const count = (sessionId: string, change: 1 | -1): void => {
    const now = (counts.get(sessionId) ?? 0) + change;
    if (now > 0) counts.set(sessionId, now);
    else counts.delete(sessionId);
  };
  return {
    has: (sessionId: string): boolean => counts.has(sessionId),
    isEmpty: (): boolean => counts.size === 0,
    /** @returns the end of the wait; calling it again does nothing */
    add(sessionId: string): () => void {
      count(sessionId, 1);
      let isWaiting = true;
      return () => {
        if (isWaiting) count(sessionId, -1);
        isWaiting = false;
      };
    },
  };
};

const createSharedLooks = () => {
  let latest: SharedLook | undefined;
  /** By the clock of the process, in milliseconds. */
  let cloudChangedAtMs = -Infinity;
  return {
    outdate: (): void => {
      cloudChangedAtMs = performance.now();
    },
    forget: (): void => {
      latest = undefined;
    },
    turnSince: (askedAtMs: number): DecisionTurn => ({
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
    }),
  };
};
