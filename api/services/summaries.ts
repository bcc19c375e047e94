/** One look at a session, and the list of sessions: read-only, and cheap enough to be asked for each second. */
import type { CloudDriver } from '../../clouds/cloud-driver';
import { expectedTimes, type SeenTimes } from '../../planning/fleet/expected-times';
import { type Database, databaseNow } from '../../prisma/database';
import { findSessionDetail } from '../../prisma/session/session-detail';
import { findInstanceCounts, findSessionsWithHosts } from '../../prisma/session/session-list';
import type { SessionProgress } from '../../prisma/session/session-progress';
import { findSeenMaintenances } from '../../prisma/times/maintenance-times';
import { findSeenAnswers, findSeenMoves } from '../../prisma/times/project-times';
import { withProjectNames } from '../name-projects';
import { sessionNotFound } from '../problem-catalogue';
import type { SessionProgressBody, SessionSummaryBody } from '../schemas/summary-schemas';
import { mayEnd, type ProgressFacts, progressOf } from '../summary/progress';
import { type SummaryFacts, summaryOf } from '../summary/summary';
import type { AskingAgain } from '../waiting-now';
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
  const [row, found, instances] = await Promise.all([
    db.session.findFirst({ where: { id: sessionId, deletedAt: null } }),
    findSessionDetail(db, sessionId, 'underWay'),
    findInstanceCounts(db, sessionId),
  ]);
  if (row === null || found === undefined) throw sessionNotFound(sessionId);
  // The columns hold values that the API's parsers accepted and the engine wrote.
  const session = row as unknown as SummaryFacts['session'];
  const detail = await withProjectNames(cloud, found);
  const times = mayEnd(session) ? await timesOf(deps, session, await findProjectTimes(db)) : undefined;
  return summaryOf({ session, detail, instances, times, now: found.now }, settings);
};

const listProgress = async (deps: SummariesDeps): Promise<SessionProgressBody[]> => {
  const { db } = deps;
  const [sessions, projects, now] = await Promise.all([
    findSessionsWithHosts(db),
    findProjectTimes(db),
    databaseNow(db),
  ]);
  return Promise.all(
    sessions.map(async (one) => {
      const times = mayEnd(one.session) ? await timesOf(deps, one.session, projects) : undefined;
      return progressOf({ ...one, times, now });
    }),
  );
};

type ProjectTimes = Pick<SeenTimes, 'moves' | 'answers'>;

const findProjectTimes = async (db: Database): Promise<ProjectTimes> => {
  const [moves, answers] = await Promise.all([findSeenMoves(db), findSeenAnswers(db)]);
  return { moves, answers };
};

const timesOf = async (
  { db, settings }: SummariesDeps,
  { id: sessionId, actions }: SessionProgress,
  { moves, answers }: ProjectTimes,
): Promise<NonNullable<ProgressFacts['times']>> => {
  const maintenances = await findSeenMaintenances(db, { actions, sessionId });
  const usual = {
    maintenanceSeconds: settings.expectedMaintenanceSeconds,
    moveSeconds: settings.expectedMoveSeconds,
    answerSeconds: settings.expectedAnswerSeconds,
  };
  // Which projects a host holds is not looked up: the mean over all is good enough beside the pace that is seen.
  const move = meanOf(moves.map(({ seconds }) => seconds)) ?? usual.moveSeconds;
  const answer = meanOf(answers.flatMap(({ seconds }) => seconds ?? [])) ?? usual.answerSeconds;
  return { expected: expectedTimes({ maintenances, moves, answers }, usual), drainSeconds: move + answer };
};

const meanOf = (values: readonly number[]): number | undefined =>
  values.length === 0 ? undefined : values.reduce((sum, one) => sum + one, 0) / values.length;
