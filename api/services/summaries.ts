/** One look at a session, and the list of sessions: read-only, and cheap enough to be asked for each second. */
import type { CloudDriver } from '../../clouds/cloud-driver';
import { type Database, databaseNow } from '../../prisma/database';
import { findSessionDetail } from '../../prisma/session/session-detail';
import { findInstanceCounts, findSessionsWithHosts } from '../../prisma/session/session-list';
import { withProjectNames } from '../name-projects';
import { sessionNotFound } from '../problem-catalogue';
import type { SessionProgressBody, SessionSummaryBody } from '../schemas/summary-schemas';
import { mayEnd, progressOf } from '../summary/progress';
import { type SummaryFacts, summaryOf } from '../summary/summary';
import type { AskingAgain } from '../waiting-now';
import { findCommonTimes, hostTimesOf } from './expected-host-times';
import type { PlanSettings } from './plan-facts';

export interface SummariesDeps {
  readonly db: Database;
  readonly cloud: CloudDriver;
  readonly settings: PlanSettings & AskingAgain;
}

export interface Summaries {
  /** @throws ApiError 404 */
  ofSession(sessionId: string): Promise<SessionSummaryBody>;
  list(): Promise<SessionProgressBody[]>;
}

export const createSummaries = (deps: SummariesDeps): Summaries => ({
  ofSession: (sessionId) => summarize(deps, sessionId),
  list: () => listProgress(deps),
});

const summarize = async (deps: SummariesDeps, sessionId: string): Promise<SessionSummaryBody> => {
  const { db, cloud, settings } = deps;
  const [row, found, instances, common] = await Promise.all([
    db.session.findFirst({ where: { id: sessionId, deletedAt: null } }),
    findSessionDetail(db, sessionId, 'underWay'),
    findInstanceCounts(db, sessionId),
    findCommonTimes(deps),
  ]);
  if (row === null || found === undefined) throw sessionNotFound(sessionId);
  // The columns hold values that the API's parsers accepted and the engine wrote.
  const session = row as unknown as SummaryFacts['session'];
  const detail = await withProjectNames(
    cloud,
    found,
    instances.map(({ projectId }) => projectId),
  );
  const times = mayEnd(session) ? await hostTimesOf(deps, session, common) : undefined;
  return summaryOf({ session, detail, instances, times, now: found.now }, settings);
};

const listProgress = async (deps: SummariesDeps): Promise<SessionProgressBody[]> => {
  const { db } = deps;
  const [sessions, common, now] = await Promise.all([
    findSessionsWithHosts(db),
    findCommonTimes(deps),
    databaseNow(db),
  ]);
  return Promise.all(
    sessions.map(async (one) => {
      const times = mayEnd(one.session) ? await hostTimesOf(deps, one.session, common) : undefined;
      return progressOf({ ...one, times, now });
    }),
  );
};
