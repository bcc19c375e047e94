/**
 * The ends of sessions as their plans foretell them, so that every look at a session and its plan tell the same end. A
 * plan of a large session takes seconds, so ends are kept, and made anew in the background while somebody looks.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import type { SessionProgress } from '../../prisma/session/session-progress';
import type { PlannedEnd } from '../summary/session-end';

export interface SessionLookedAt {
  readonly session: SessionProgress;
  readonly hostCount: number;
}

export interface PlannedEnds {
  /** The newest known ends by session; without those of sessions whose plan is not made yet, or could not be made. */
  readonly of: (looks: readonly SessionLookedAt[]) => Promise<ReadonlyMap<string, PlannedEnd>>;
  /** Somebody has asked for a plan. */
  readonly note: (session: SessionProgress, end: PlannedEnd, costMs: number) => void;
}

export interface PlannedEndsDeps {
  /** @throws where no plan can be made now */
  readonly plan: (sessionId: string) => Promise<PlannedEnd>;
  /** Left out: the clock of this process. */
  readonly clock?: () => number;
}

/**
 * Makes a plan anew after this many times what it has cost, and not before this time: each asks the cloud for all of
 * its instances.
 */
const costFactor = 20;
const leastMs = 60_000;
/** A look waits for the new plan of a session with at most so many hosts, for this long; else it tells the old one. */
const hostsWaitedFor = 100;
const mostWaitMs = 2_000;
/** Sessions that are kept; far more than run at once. */
const mostKept = 200;

interface Kept {
  /** undefined: the plan could not be made. */
  readonly end: PlannedEnd | undefined;
  readonly mark: string;
  readonly madeMs: number;
  readonly costMs: number;
}

const keptForMs = ({ costMs }: Kept): number => Math.max(leastMs, costFactor * costMs);

/** A change by an admin makes a plan stale at once. */
const markOf = (session: SessionProgress): string => {
  const { state, pausedAt, maintenanceAt, windows, canary, maxParallelHosts, replyPolicy } = session;
  const isFailed = state === 'MAINTENANCE_FAILED';
  return JSON.stringify([isFailed, pausedAt, maintenanceAt, windows, canary, maxParallelHosts, replyPolicy]);
};

export const createPlannedEnds = ({ plan, clock = () => performance.now() }: PlannedEndsDeps): PlannedEnds => {
  const kept = new Map<string, Kept>();
  const running = new Map<string, Promise<void>>();
  let last: Promise<void> = Promise.resolve();

  const keep = (sessionId: string, one: Kept): void => {
    kept.delete(sessionId);
    kept.set(sessionId, one);
    const [oldest] = kept.keys();
    if (kept.size > mostKept && oldest !== undefined) kept.delete(oldest);
  };

  /** One after the other. */
  const start = (sessionId: string, mark: string): Promise<void> => {
    const made = last.then(async () => {
      const startedMs = clock();
      // The end from the records is told meanwhile; who asks for the plan is told why there is none.
      const end = await plan(sessionId).catch(() => undefined);
      keep(sessionId, { end, mark, madeMs: clock(), costMs: clock() - startedMs });
      running.delete(sessionId);
    });
    running.set(sessionId, made);
    last = made;
    return made;
  };

  return {
    async of(looks) {
      const awaited = looks.flatMap(({ session, hostCount }): Promise<void>[] => {
        const [mark, known] = [markOf(session), kept.get(session.id)];
        if (known?.mark === mark && clock() - known.madeMs < keptForMs(known)) return [];
        const making = running.get(session.id) ?? start(session.id, mark);
        return hostCount <= hostsWaitedFor ? [making] : [];
      });
      if (awaited.length > 0) await withinTime(Promise.all(awaited), mostWaitMs);
      return new Map(
        looks.flatMap(({ session: { id } }) => {
          const end = kept.get(id)?.end;
          return end === undefined ? [] : [[id, end] as const];
        }),
      );
    },
    note: (session, end, costMs) => keep(session.id, { end, mark: markOf(session), madeMs: clock(), costMs }),
  };
};

const withinTime = async (work: Promise<unknown>, limitMs: number): Promise<void> => {
  const over = new AbortController();
  await Promise.race([work, sleep(limitMs, undefined, { signal: over.signal }).catch(() => undefined)]);
  over.abort();
};
