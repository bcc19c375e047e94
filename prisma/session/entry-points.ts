/**
 * The points in their histories from which sessions may be continued. `requestContinue` (sessions.ts) chooses the
 * state; temporal/call-workflows.ts resets the workflow to its point.
 */
import { databaseNow, type Queryable } from '../database';

export interface EntryPointRecord {
  readonly state: string;
  readonly runId: string;
  readonly eventId: number;
  /** The entry point of the set-up, under the initial state, which the session has not entered yet. */
  readonly isSetUp: boolean;
}

/**
 * Entering a state again moves its entry point. Recording the same one twice changes nothing.
 *
 * @returns true when it was recorded just now
 */
export const recordEntryPoint = async (tx: Queryable, sessionId: string, point: EntryPointRecord): Promise<boolean> => {
  const { state, runId, eventId, isSetUp } = point;
  const known = await tx.entryPoint.findUnique({ where: { sessionId_state: { sessionId, state } } });
  if (known?.runId === runId && known.eventId === eventId) return false;
  const entry = { runId, eventId, isSetUp, enteredAt: await databaseNow(tx) };
  await tx.entryPoint.upsert({
    where: { sessionId_state: { sessionId, state } },
    create: { sessionId, state, ...entry },
    update: entry,
  });
  return true;
};

/** A session that goes back to a state has not entered the later states. */
export const dropLaterEntryPoints = async (tx: Queryable, sessionId: string, state: string): Promise<void> => {
  const entry = await tx.entryPoint.findUnique({ where: { sessionId_state: { sessionId, state } } });
  if (entry === null) return;
  await tx.entryPoint.deleteMany({ where: { sessionId, enteredAt: { gt: entry.enteredAt } } });
};

export const findEntryPoint = (db: Queryable, sessionId: string, state: string): Promise<EntryPointRecord | null> =>
  db.entryPoint.findUnique({
    where: { sessionId_state: { sessionId, state } },
    select: { state: true, runId: true, eventId: true, isSetUp: true },
  });
