/**
 * The ends of sessions as their plans foretell them, so that every look at a session and its plan tell the same end. A
 * plan of a large session takes seconds, so ends are kept, and made anew in the background while somebody looks. The
 * moves that a plan foretells are kept with its end, for the projects that look at what is coming (services/coming.ts),
 * and so are the turns of hosts, which tell the waits that end by themselves.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { createShortMemory } from '../../calls/short-memory';
import { waitAtMost } from '../../calls/time-limit';
import type { SessionProgress } from '../../prisma/session/session-progress';
import type { Foretold } from '../../rules/coming/foretold';
import type { Turns } from '../../rules/reasons/by-plan';
import type { PlannedEnd } from '../summary/expected-end';

export interface SessionLookedAt {
  readonly session: SessionProgress;
  readonly hostCount: number;
}

export interface PlannedEnds {
  /** The newest known ends by session; without those of sessions whose plan is not made yet, or could not be made. */
  readonly of: (looks: readonly SessionLookedAt[]) => Promise<ReadonlyMap<string, PlannedEnd>>;
  /** The same for the moves that these plans foretell. */
  readonly movesOf: (looks: readonly SessionLookedAt[]) => Promise<ReadonlyMap<string, Foretold>>;
  /** The same for the turns of its hosts and instances. */
  readonly turnsOf: (looks: readonly SessionLookedAt[]) => Promise<ReadonlyMap<string, Turns>>;
  /** Keeps the end of a plan that somebody has asked for; none is made in the background meanwhile. */
  readonly takeFrom: (sessionId: string, asked: Promise<AskedPlan>) => void;
}

/** The parts of a plan that are kept. */
export interface ForetoldPlan {
  readonly end: PlannedEnd;
  readonly foretold: Foretold;
  readonly turns: Turns;
}

export interface AskedPlan extends ForetoldPlan {
  /** The session as it was planned. */
  readonly session: SessionProgress;
  readonly costMs: number;
}

export interface PlannedEndsDeps {
  /** @throws where no plan can be made now */
  readonly plan: (sessionId: string) => Promise<ForetoldPlan>;
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
/** Waits 2 s for the new plan of a session with up to 100 hosts; then returns the old end. */
const hostsWaitedFor = 100;
const mostWaitMs = 2_000;
/** Somebody who looks at a large session asks for more than one thing: those answers come before the plan. */
const idleMs = 1_500;
/** Sessions that are kept; far more than run at once. */
const mostKept = 200;

interface Kept {
  /** undefined: the plan could not be made. */
  readonly plan: ForetoldPlan | undefined;
  readonly mark: string;
  readonly madeMs: number;
  readonly costMs: number;
}

const keptForMs = ({ plan, costMs }: Kept, nowMs: number): number => {
  const end = plan?.end ?? null;
  const isOvertaken = end !== null && end.expected <= nowMs;
  return Math.max(isOvertaken ? leastOvertakenMs : leastMs, costFactor * costMs);
};

/** A change by an admin makes a plan stale at once; so does a freeze that changes when the session may begin next. */
const markOf = (session: SessionProgress): string => {
  const { state, pausedAt, maintenanceAt, windows, canary, maxParallelHosts, replyPolicy, eviction } = session;
  const isFailed = state === 'MAINTENANCE_FAILED';
  const { windowFrozenBy, windowClosedBy, ignoreFreezes, ownerHours, maxParallelPer, oneDomainAtATime } = session;
  return JSON.stringify([
    ...[isFailed, pausedAt, maintenanceAt, windows, canary, maxParallelHosts, replyPolicy, eviction],
    ...[windowFrozenBy, windowClosedBy, ignoreFreezes, ownerHours, maxParallelPer, oneDomainAtATime],
  ]);
};

export const createPlannedEnds = (deps: PlannedEndsDeps): PlannedEnds => {
  const ends = new KeptEnds(deps);
  return {
    of: (looks) => ends.of(looks, ({ end }) => end),
    movesOf: (looks) => ends.of(looks, ({ foretold }) => foretold),
    turnsOf: (looks) => ends.of(looks, ({ turns }) => turns),
    takeFrom: (sessionId, plan) => ends.takeFrom(sessionId, plan),
  };
};

class KeptEnds {
  readonly #kept = createShortMemory<string, Kept>(mostKept);
  readonly #running = new Map<string, Promise<void>>();
  readonly #asked = new Map<string, Promise<void>>();
  readonly #plan: PlannedEndsDeps['plan'];
  readonly #clock: () => number;
  readonly #nowMs: () => number;
  readonly #idle: () => Promise<unknown>;
  #last: Promise<void> = Promise.resolve();

  constructor({ plan, clock, nowMs, idle }: PlannedEndsDeps) {
    this.#plan = plan;
    this.#clock = clock ?? (() => performance.now());
    this.#nowMs = nowMs ?? (() => Date.now());
    this.#idle = idle ?? (() => sleep(idleMs, undefined, { ref: false }));
  }

  async of<Part>(
    looks: readonly SessionLookedAt[],
    partOf: (plan: ForetoldPlan) => Part,
  ): Promise<ReadonlyMap<string, Part>> {
    const awaited = looks.flatMap((look) => this.#refresh(look));
    if (awaited.length > 0) await waitAtMost(Promise.all(awaited), mostWaitMs);
    return new Map(
      looks.flatMap(({ session: { id } }) => {
        const plan = this.#kept.find(id)?.plan;
        return plan === undefined ? [] : [[id, partOf(plan)] as const];
      }),
    );
  }

  takeFrom(sessionId: string, plan: Promise<AskedPlan>): void {
    const taken = plan
      .then(({ session, end, foretold, turns, costMs }) => {
        const plan = { end, foretold, turns };
        this.#kept.keep(sessionId, { plan, mark: markOf(session), madeMs: this.#clock(), costMs });
      })
      // Whoever asked is told why there is no plan.
      .catch(() => undefined)
      .finally(() => {
        if (this.#asked.get(sessionId) === taken) this.#asked.delete(sessionId);
      });
    this.#asked.set(sessionId, taken);
  }

  /** Makes the end anew where it is stale. @returns what is worth waiting for */
  #refresh({ session, hostCount }: SessionLookedAt): readonly Promise<void>[] {
    const mark = markOf(session);
    if (this.#isFresh(session.id, mark)) return [];
    const isAwaited = hostCount <= hostsWaitedFor;
    const making = this.#running.get(session.id) ?? this.#start(session.id, mark, isAwaited);
    return isAwaited ? [making] : [];
  }

  #isFresh(sessionId: string, mark: string): boolean {
    const known = this.#kept.find(sessionId);
    return known?.mark === mark && this.#clock() - known.madeMs < keptForMs(known, this.#nowMs());
  }

  /** One after the other. */
  #start(sessionId: string, mark: string, isAwaited: boolean): Promise<void> {
    const turn = async (): Promise<void> => {
      if (!isAwaited) await this.#idle();
      this.#last = this.#last.then(() => this.#make(sessionId, mark));
      await this.#last;
      this.#running.delete(sessionId);
    };
    const made = turn();
    this.#running.set(sessionId, made);
    return made;
  }

  async #make(sessionId: string, mark: string): Promise<void> {
    await this.#asked.get(sessionId);
    if (this.#isFresh(sessionId, mark)) return;
    const startedMs = this.#clock();
    // The end from the records is told meanwhile; who asks for the plan is told why there is none.
    const plan = await this.#plan(sessionId).catch(() => undefined);
    this.#kept.keep(sessionId, { plan, mark, madeMs: this.#clock(), costMs: this.#clock() - startedMs });
  }
}
