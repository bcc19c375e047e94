/**
 * Capacity that sessions keep for instances that wait for their admission (rules/decisions/decision.ts, Reservation).
 */
import { keyOf } from '../../rules/cloud/id';
import type { Reservation } from '../../rules/decisions/fleet/fleet';
import type { Queryable } from '../database';

export interface ReservationRecord extends Reservation {
  readonly sessionId: string;
}

/** The reservations of all sessions, oldest first: when two do not both fit, the later one is ignored. */
export const findReservations = (db: Queryable): Promise<ReservationRecord[]> =>
  db.reservation.findMany({
    select: { instanceId: true, sessionId: true, target: true },
    orderBy: [{ createdAt: 'asc' }, { instanceKey: 'asc' }],
  });

/** Writes the session's reservations, in place of its earlier ones for the same instances. */
export const storeReservations = async (
  tx: Queryable,
  sessionId: string,
  reservations: readonly Reservation[],
): Promise<void> => {
  if (reservations.length === 0) return;
  await tx.$executeRaw`
    INSERT INTO reservation (instance_id, session_id, target, created_at)
    SELECT r."instanceId", ${sessionId}::uuid, r.target, clock_timestamp()
    FROM jsonb_to_recordset(${JSON.stringify(reservations)}::jsonb) AS r("instanceId" text, target text)
    ON CONFLICT (instance_key) DO UPDATE SET
      instance_id = EXCLUDED.instance_id, session_id = EXCLUDED.session_id, target = EXCLUDED.target, created_at = EXCLUDED.created_at`;
};

/** Gives up the session's reservations for these instances. */
export const dropReservations = async (
  tx: Queryable,
  sessionId: string,
  instanceIds: readonly string[],
): Promise<void> => {
  if (instanceIds.length === 0) return;
  await tx.reservation.deleteMany({ where: { sessionId, instanceKey: { in: instanceIds.map(keyOf) } } });
};

/** A session that has failed keeps no capacity: it may be continued late or never, and reserves anew by then. */
export const dropAllReservations = async (tx: Queryable, sessionId: string): Promise<void> => {
  await tx.reservation.deleteMany({ where: { sessionId } });
};
