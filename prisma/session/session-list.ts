/** The sessions with what tells their progress: the rows of their hosts, in few columns. */
import type { Queryable } from '../database';
import type { HostRecord } from './session-detail';
import type { SessionProgress } from './session-progress';

export type HostInList = Pick<HostRecord, 'hostname' | 'type' | 'isCompute' | 'phase' | 'phaseSince' | 'announcedAt'>;

export interface SessionInList {
  readonly session: SessionProgress & { readonly createdAt: Date };
  readonly hosts: readonly HostInList[];
}

/**
 * The sessions that are not deleted, the oldest first.
 *
 * @param isArchived those that are archived, in place of the others
 */
export const findSessionsWithHosts = async (db: Queryable, isArchived = false): Promise<SessionInList[]> => {
  const sessions = await db.session.findMany({
    where: isArchived ? { archivedAt: { not: null } } : { deletedAt: null },
    orderBy: [{ createdAt: 'asc' }, { id: 'asc' }],
  });
  const hosts = await db.$queryRaw<(HostInList & { readonly sessionId: string })[]>`
    SELECT session_id AS "sessionId", hostname, type, is_compute AS "isCompute", phase, phase_since AS "phaseSince",
      announced_at AS "announcedAt"
    FROM session_host WHERE session_id = ANY(${sessions.map(({ id }) => id)}::uuid[])`;
  const hostsOf = Map.groupBy(hosts, ({ sessionId }) => sessionId);
  return sessions.map((row) => ({
    // The columns hold values that the API's parsers accepted and the engine wrote.
    session: row as unknown as SessionInList['session'],
    hosts: hostsOf.get(row.id) ?? [],
  }));
};
