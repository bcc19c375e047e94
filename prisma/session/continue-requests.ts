/**
 * Changes recorded requests to resume a failed session: renews their identity, or drops them. `requestResume`
 * (sessions.ts) records them.
 */
import { randomUUID } from 'node:crypto';
import type { Database, Queryable } from '../database';

/** Gives the same resume a new identity, so that Temporal does not take it for one that it has answered. */
export const renewResumeRequest = async (db: Database, sessionId: string): Promise<void> => {
  await db.session.updateMany({
    where: { id: sessionId, resumeRequestId: { not: null } },
    data: { resumeRequestId: randomUUID() },
  });
};

/** The session has failed again before it continued: it may be resumed again. */
export const dropResumeRequest = async (db: Queryable, sessionId: string): Promise<void> => {
  await db.session.updateMany({
    where: { id: sessionId },
    data: { resumeRequestId: null, resumeState: null, resumeRequestedAt: null },
  });
};
