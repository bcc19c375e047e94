/** The sessions that the sweeper checks. */
import type { Database } from '../database';
import type { HostRef } from '../hosts/session-hosts';
import type { SessionProgress } from '../session/session-progress';

export interface SweptSession extends Pick<
  SessionProgress,
  | 'id'
  | 'workflow'
  | 'workflowModule'
  | 'state'
  | 'startedAt'
  | 'continueRequestId'
  | 'deleteRequestedAt'
  | 'abortRequestedAt'
  | 'abortTakenUpAt'
  | 'deletedAt'
> {
  readonly createdAt: Date;
  readonly continueRequestedAt: Date | null;
}

/**
 * Sessions that are not over: neither deleted nor done, or done with a deletion that nobody has carried out. Also
 * sessions whose own task queue is still served.
 */
export const findSessionsToSweep = (db: Database): Promise<SweptSession[]> =>
  db.session.findMany({
    where: {
      OR: [
        { deletedAt: null, OR: [{ state: { not: 'MAINTENANCE_DONE' } }, { deleteRequestedAt: { not: null } }] },
        { workflowModule: { not: null } },
      ],
    },
    orderBy: { createdAt: 'asc' },
  });

/** Hosts under work, of all sessions in any state. */
export const findHostsUnderWork = (db: Database): Promise<HostRef[]> =>
  db.sessionHost.findMany({
    where: { phase: { in: ['emptying', 'maintaining', 'releasing'] }, session: { deletedAt: null } },
    select: { sessionId: true, hostname: true },
    orderBy: { hostname: 'asc' },
  });

/** Hosts that sessions work on, or have left disabled: they are not given back. */
export const findHostsHeld = (db: Database): Promise<HostRef[]> =>
  db.sessionHost.findMany({
    where: { OR: [{ phase: { in: ['emptying', 'maintaining', 'releasing'] } }, { disabled: true }] },
    select: { sessionId: true, hostname: true },
  });

/** Deleted or failed sessions with moves that nobody observes any more. */
export const findSessionsWithOrphanedClaims = async (db: Database): Promise<string[]> => {
  const rows = await db.$queryRaw<{ id: string }[]>`
    SELECT DISTINCT session.id FROM session JOIN claim ON claim.session_id = session.id
    WHERE claim.phase IN ('asked', 'moving')
      AND (session.deleted_at IS NOT NULL OR session.state = 'MAINTENANCE_FAILED' OR NOT EXISTS (
        SELECT 1 FROM session_host AS host WHERE host.session_id = claim.session_id AND host.hostname = claim.source
          AND host.phase IN ('emptying', 'maintaining', 'releasing')))`;
  return rows.map(({ id }) => id);
};
