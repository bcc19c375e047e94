/**
 * The lease on publishing a session's events: each session has one publisher at a time, and another one succeeds a
 * publisher that died. The lease is taken and renewed by the database's clock, in separate statements on a row of its
 * own: publishing does not wait for a decision about the session.
 */
import type { Database } from '../prisma/database';

export interface Lease {
  readonly sessionId: string;
  /**
   * The holder's ID: a UUID, new for each call that publishes, so that two calls of one process also exclude each
   * other.
   */
  readonly holder: string;
}

/**
 * Takes the lease when it is free or has expired. False: somebody else holds it.
 * @throws Error when the session has no row: there is nothing to wait for then
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

/** Holds the lease for another `leaseMs`. False: it has expired, or somebody else holds it by now. */
export const renewLease = async (db: Database, { sessionId, holder }: Lease, leaseMs: number): Promise<boolean> => {
  const renewed = await db.$executeRaw`
    UPDATE event_lease SET held_until = clock_timestamp() + ${leaseMs} * interval '1 ms'
    WHERE session_id = ${sessionId}::uuid AND holder = ${holder}::uuid AND held_until > clock_timestamp()`;
  return renewed > 0;
};

/** Releases the lease, so that a waiting publisher need not wait until it expires. */
export const releaseLease = async (db: Database, { sessionId, holder }: Lease): Promise<void> => {
  await db.eventLease.deleteMany({ where: { sessionId, holder } });
};
