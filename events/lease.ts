/**
 * The lease on publishing a session's events: one publisher a session at a time, and a dead one is succeeded. Taken and
 * renewed by the database's clock, in statements of their own on a row of its own: publishing does not wait for whoever
 * decides about the session.
 */
import type { Database } from '../prisma/database';

export interface Lease {
  readonly sessionId: string;
  /** Who holds it: a UUID, new for each call that publishes, so two calls of one process exclude each other as well. */
  readonly holder: string;
}

/**
 * Takes the lease where it is free or has run out; false: somebody else holds it.
 * @throws Error where the session has no row: there is nothing to wait for then
 */
export const takeLease = async (db: Database, { sessionId, holder }: Lease, leaseMs: number): Promise<boolean> => {
  const taken = await db.$executeRaw`
    INSERT INTO event_lease (session_id, holder, held_until)
    SELECT id, ${holder}::uuid, clock_timestamp() + ${leaseMs} * interval '1 ms' FROM session WHERE id = ${sessionId}::uuid
    ON CONFLICT (session_id) DO UPDATE SET holder = EXCLUDED.holder, held_until = EXCLUDED.held_until
    WHERE event_lease.held_until < clock_timestamp()`;
  if (taken > 0) return true;
  if ((await db.session.count({ where: { id: sessionId } })) > 0) return false;
  throw new Error(`the events of session ${sessionId} cannot be published: the session has no row`);
};

/** Holds the lease for another `leaseMs`; false: it has run out, or somebody else has it by now. */
export const renewLease = async (db: Database, { sessionId, holder }: Lease, leaseMs: number): Promise<boolean> => {
  const renewed = await db.$executeRaw`
    UPDATE event_lease SET held_until = clock_timestamp() + ${leaseMs} * interval '1 ms'
    WHERE session_id = ${sessionId}::uuid AND holder = ${holder}::uuid AND held_until > clock_timestamp()`;
  return renewed > 0;
};

/** Gives the lease up, so that whoever waits need not wait until it has run out. */
export const releaseLease = async (db: Database, { sessionId, holder }: Lease): Promise<void> => {
  await db.eventLease.deleteMany({ where: { sessionId, holder } });
};
