/**
 * Changes recorded requests to continue a failed session: renews their identity, or drops them. `requestContinue`
 * (sessions.ts) records them.
 */
import { randomUUID } from 'node:crypto';
import type { Database, Queryable } from '../database';

/** Gives the same continuation a new identity, so that Temporal does not take it for one that it has answered. */
export const renewContinueRequest = async (db: Database, sessionId: string): Promise<void> => {
  await db.session.updateMany({
    where: { id: sessionId, continueRequestId: { not: null } },
    data: { continueRequestId: randomUUID() },
  });
};

/** The session has failed again before it continued: it may be continued again. */
export const dropContinueRequest = async (db: Queryable, sessionId: string): Promise<void> => {
  await db.session.updateMany({
    where: { id: sessionId },
    data: { continueRequestId: null, continueState: null, continueRequestedAt: null },
  });
};
