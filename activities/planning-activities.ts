/** Deciding: the one activity that plans and admits, and the look that chooses where the work begins. */
import { stateAfterLook } from '../planning/rolling/beginning';
import type { SessionState } from '../planning/fleet/fleet';
import { databaseNow, inTransaction, takeLock } from '../prisma/database';
import { findAwaitedProjects } from '../prisma/question-rounds';
import { hasUnpublishedEvents, mayBegin } from '../prisma/session-progress';
import { commitDecision, type HostOrdersDigest } from './commit-decision';
import { decide } from './decide';
import { loadFleet, loadFleetFacts, lookAtCloud } from './load-fleet';
import { paused, type Paused } from './paused';
import { followInstances, noteInstances } from './note-instances';
import type { StateRef } from './question-activities';
import { inSession, sessionInForce, takeOverSession } from './run-in-force';
import type { Services } from './services';

/** What the session's workflow does next. Everything open and granted is in it, not only what is new. */
export interface Plan {
  readonly next?: SessionState;
  readonly failure?: string;
  /** Hosts whose workflow must be open, each with a digest of what it has to do. */
  readonly underWork: readonly HostOrdersDigest[];
  /** Projects whose answer is waited for. */
  readonly awaitedProjects: readonly string[];
  readonly lookAgainMs: number;
  readonly unpublished: boolean;
}

export const createPlanningActivities = (services: Services) => ({
  async chooseBeginning(ref: StateRef): Promise<SessionState | Paused> {
    const snapshot = await lookAtCloud(services.cloud, services.db);
    return inSession(services, ref, async (tx, session) => {
      if (!mayBegin(session)) return paused;
      const fleet = await loadFleet(tx, snapshot, await databaseNow(tx));
      await noteInstances(tx, ref.sessionId, snapshot);
      return stateAfterLook(fleet, ref.sessionId);
    });
  },

  /** Decides, and commits what was decided, in one transaction; one at a time over the whole service. */
  async planAndAdmit(ref: StateRef): Promise<Plan> {
    await takeOverSession(services, ref);
    const snapshot = await lookAtCloud(services.cloud, services.db);
    await followInstances(services, ref.sessionId, snapshot);
    return inTransaction(services.db, async (tx) => {
      await takeLock(tx, 'admission');
      const session = await sessionInForce(tx, ref.sessionId);
      const now = await databaseNow(tx);
      const facts = { tx, session, now, ...(await loadFleetFacts(tx, snapshot, now)) };
      const decided = await decide(services, facts);
      const underWork = await commitDecision(services, facts, decided);
      const { next, failure, lookAgainMs } = decided.decision;
      return {
        ...(next && { next }),
        ...(failure && { failure }),
        underWork,
        awaitedProjects: await findAwaitedProjects(tx, session.id),
        lookAgainMs,
        unpublished: await hasUnpublishedEvents(tx, session.id),
      };
    });
  },
});

export type PlanningActivities = ReturnType<typeof createPlanningActivities>;
