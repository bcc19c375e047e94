/**
 * The ends of sessions as their plans foretell them, so that every look at a session and its plan tell the same end. A
 * plan of a large session takes seconds, so ends are kept, and made anew in the background while somebody looks.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import type { SessionProgress } from '../../prisma/session/session-progress';
import type { PlannedEnd } from '../summary/expected-end';

export interface SessionLookedAt {
  readonly session: SessionProgress;
  readonly hostCount: number;
}

export interface PlannedEnds {
  /** The newest known ends by session; without those of sessions whose plan is not made yet, or could not be made. */
  readonly of: (looks: readonly SessionLookedAt[]) => Promise<ReadonlyMap<string, PlannedEnd>>;
  /** Keeps the end of a plan that somebody has asked for; none is made in the background meanwhile. */
  readonly takeFrom: (sessionId: string, asked: Promise<AskedPlan>) => void;
}

export interface AskedPlan {
  /** As it was planned. */
  readonly session: SessionProgress;
  readonly end: PlannedEnd;
  readonly costMs: number;
}

export interface PlannedEndsDeps {
  /** @throws where no plan can be made now */
  readonly plan: (sessionId: string) => Promise<PlannedEnd>;
  /** Left out: the clock of this process. */
  readonly clock?: () => number;
  /** The time of day, in milliseconds. Left out: that of this machine. */
  readonly nowMs?: () => number;
  /** Returns when a plan that nobody waits for may begin. Left out: after a moment. */
  readonly idle?: () => Promise<unknown>;
}

/**
 * Makes a plan anew after this many times what it has cost, and not before this time: each asks the cloud for all of
 * its instances.
 */
const costFactor = 20;
const leastMs = 60_000;
/** The same for a plan whose end has passed, though the session goes on: it tells nothing any more. */
const leastOvertakenMs = 30_000;
/** With up to 100 hosts, wait 2 s for the new plan; then return the old end. */
const hostsWaitedFor = 100;
const mostWaitMs = 2_000;
/** Somebody who looks at a large session asks for more than one thing: those answers come before the plan. */
const idleMs = 1_500;
/** Sessions that are kept; far more than run at once. */
const mostKept = 200;

interface Kept {
  /** undefined: the plan could not be made. */
  readonly end: PlannedEnd | undefined;
  readonly mark: string;
  readonly madeMs: number;
  readonly costMs: number;
}

const keptForMs = ({ end, costMs }: Kept, nowMs: number): number => {
  const isOvertaken = end !== null && end !== undefined && end.expected <= nowMs;
  return Math.max(isOvertaken ? leastOvertakenMs : leastMs, costFactor * costMs);
};

/** A change by an admin makes a plan stale at once. */
const markOf = (session: SessionProgress): string => {
  const { state, pausedAt, maintenanceAt, windows, canary, maxParallelHosts, replyPolicy } = session;
  const isFailed = state === 'MAINTENANCE_FAILED';
  return JSON.stringify([isFailed, pausedAt, maintenanceAt, windows, canary, maxParallelHosts, replyPolicy]);
};

export const createPlannedEnds = ({
  plan,
  clock = () => performance.now(),
  nowMs = () => Date.now(),
  idle = () => sleep(idleMs, undefined, { ref: false }),
}: PlannedEndsDeps): PlannedEnds => {
  const kept = new Map<string, Kept>();
  const running = new Map<string, Promise<void>>();
  const asked = new Map<string, Promise<void>>();
  let last: Promise<void> = Promise.resolve();

  const isFresh = (sessionId: string, mark: string): boolean => {
    const known = kept.get(sessionId);
    return known?.mark === mark && clock() - known.madeMs < keptForMs(known, nowMs());
  };

  const keep = (sessionId: string, one: Kept): void => {
    kept.delete(sessionId);
    kept.set(sessionId, one);
    const [oldest] = kept.keys();
    if (kept.size > mostKept && oldest !== undefined) kept.delete(oldest);
  };

  const make = async (sessionId: string, mark: string): Promise<void> => {
    await asked.get(sessionId);
    if (isFresh(sessionId, mark)) return;
    const startedMs = clock();
    // The end from the records is told meanwhile; who asks for the plan is told why there is none.
    const end = await plan(sessionId).catch(() => undefined);
    keep(sessionId, { end, mark, madeMs: clock(), costMs: clock() - startedMs });
  };

  /** One after the other. */
  const start = (sessionId: string, mark: string, isAwaited: boolean): Promise<void> => {
    const turn = async (): Promise<void> => {
      if (!isAwaited) await idle();
      last = last.then(() => make(sessionId, mark));
      await last;
      running.delete(sessionId);
    };
    const made = turn();
    running.set(sessionId, made);
    return made;
  };

  return {
    async of(looks) {
      const awaited = looks.flatMap(({ session, hostCount }): Promise<void>[] => {
        const mark = markOf(session);
        if (isFresh(session.id, mark)) return [];
        const isAwaited = hostCount <= hostsWaitedFor;
        const making = running.get(session.id) ?? start(session.id, mark, isAwaited);
        return isAwaited ? [making] : [];
      });
      if (awaited.length > 0) await withinTime(Promise.all(awaited), mostWaitMs);
      return new Map(
        looks.flatMap(({ session: { id } }) => {
          const end = kept.get(id)?.end;
          return end === undefined ? [] : [[id, end] as const];
        }),
      );
    },
    takeFrom: (sessionId, plan) => {
      const taken = plan
        .then(({ session, end, costMs }) => {
          keep(sessionId, { end, mark: markOf(session), madeMs: clock(), costMs });
        })
        // Whoever asked is told why there is no plan.
        .catch(() => undefined)
        .finally(() => {
          if (asked.get(sessionId) === taken) asked.delete(sessionId);
        });
      asked.set(sessionId, taken);
    },
  };
};

const withinTime = async (work: Promise<unknown>, limitMs: number): Promise<void> => {
  const over = new AbortController();
  await Promise.race([work, sleep(limitMs, undefined, { signal: over.signal }).catch(() => undefined)]);
  over.abort();
};
