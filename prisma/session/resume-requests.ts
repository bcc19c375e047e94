/** Requests to resume a failed session, once they are recorded: named anew, or dropped. */
import { randomUUID } from 'node:crypto';
import type { Database, Queryable } from '../database';

/** The same resume under a new identity, so that Temporal does not take it for one that it has answered. */
export const renewResumeRequest = async (db: Database, sessionId: string): Promise<void> => {
  await db.session.updateMany({
    where: { id: sessionId, resumeRequestId: { not: null } },
    data: { resumeRequestId: randomUUID() },
  });
};

/** The session has failed again before it went on: it may be resumed anew. */
export const dropResumeRequest = async (db: Queryable, sessionId: string): Promise<void> => {
  await db.session.updateMany({
    where: { id: sessionId },
    data: { resumeRequestId: null, resumeState: null, resumeRequestedAt: null },
  });
};
