/** Sessions that the sweeper looks after. */
import type { Database } from './database';

export interface SweptSession {
  readonly id: string;
  readonly state: string;
  readonly createdAt: Date;
  readonly startedAt: Date | null;
  readonly resumeRequestedAt: Date | null;
  readonly deleteRequestedAt: Date | null;
  readonly deleteTakenUpAt: Date | null;
}

/** Sessions that are neither deleted nor done. */
export const findUnfinishedSessions = (db: Database): Promise<SweptSession[]> =>
  db.session.findMany({
    where: { deletedAt: null, state: { not: 'MAINTENANCE_DONE' } },
    orderBy: { createdAt: 'asc' },
  });
