/** One look at a session, and the list of sessions: read-only, and cheap enough to be asked for each second. */
import type { CloudDriver } from '../../clouds/cloud-driver';
import { findCreators } from '../../prisma/audit/creators';
import { type Database, databaseNow } from '../../prisma/database';
import { findFreezes } from '../../prisma/session/freezes';
import { findSessionsWithHosts } from '../../prisma/session/session-list';
import { findSessionLook } from '../../prisma/session/session-look';
import { findSessionProgress, type SessionProgress } from '../../prisma/session/session-progress';
import { noTurns, type Turns } from '../../rules/reasons/by-plan';
import { sessionNotFound } from '../problems/problem-catalogue';
import type { ListedSessionBody, SessionSummaryBody } from '../schemas/summary-schemas';
import { withContacts } from '../showing/name-contacts';
import { type NamedDetail, withProjectNames } from '../showing/name-projects';
import type { EndForecast } from '../summary/expected-end';
import { mayEnd, type ProgressFacts, progressOf } from '../summary/progress';
import { summaryOf } from '../summary/summary';
import type { AskingAgain } from '../waiting/questions-asked';
import { findCommonTimes, hostTimesOf } from './expected-host-times';
import { isWanted, type ListFilter } from './list-filter';
import type { PlanSettings } from './plan-facts';
import type { PlannedEnds } from './planned-ends';

export interface SummariesDeps {
  readonly db: Database;
  readonly cloud: CloudDriver;
  readonly settings: PlanSettings & AskingAgain;
  readonly ends: Pick<PlannedEnds, 'of' | 'turnsOf'>;
}

export interface Summaries {
  /** @throws ApiError 404 */
  ofSession(sessionId: string): Promise<SessionSummaryBody>;
  list(filter: ListFilter): Promise<ListedSessionBody[]>;
  /** The turns that the plan foretells, where a host waits. */
  turnsIn(detail: NamedDetail): Promise<Turns>;
}

export const createSummaries = (deps: SummariesDeps): Summaries => ({
  ofSession: (sessionId) => summarize(deps, sessionId),
  list: (filter) => listProgress(deps, filter),
  turnsIn: async (detail) =>
    waitsForTurn(detail) ? turnsFor(deps, detail, await findSessionProgress(deps.db, detail.session.id)) : noTurns,
});

const summarize = async (deps: SummariesDeps, sessionId: string): Promise<SessionSummaryBody> => {
  const { db, cloud, settings } = deps;
  const found = await findSessionLook(db, sessionId);
  if (found === undefined) throw sessionNotFound(sessionId);
  const { session, instanceCounts: instances, done } = found;
  const detail = await withProjectNames(
    cloud,
    found.detail,
    instances.map(({ projectId }) => projectId),
  );
  const [forecast] = await forecastsOf(deps, [{ session, hosts: detail.hosts }]);
  const turns = await turnsFor(deps, detail, session);
  const summary = summaryOf({ session, detail, instances, done, forecast, now: detail.now }, { ...settings, turns });
  return withContacts({ db, cloud }, summary);
};

/** Instances on a host that is being drained have turns, too. */
const waitsForTurn = ({ hosts }: NamedDetail): boolean =>
  hosts.some(({ phase }) => phase === 'waiting' || phase === 'emptying');

const turnsFor = async (
  { ends }: SummariesDeps,
  { hosts }: NamedDetail,
  session: SessionProgress | null,
): Promise<Turns> => {
  if (session === null || !mayEnd(session)) return noTurns;
  const turns = await ends.turnsOf([{ session, hostCount: hosts.length }]);
  return turns.get(session.id) ?? noTurns;
};

/** Forecasts by the plan; where it is not made yet, from the records. Undefined: nobody knows when the session ends. */
const forecastsOf = async (
  deps: SummariesDeps,
  sessions: readonly Pick<ProgressFacts, 'session' | 'hosts'>[],
): Promise<(EndForecast | undefined)[]> => {
  const going = sessions.filter(({ session }) => mayEnd(session));
  const planned = await deps.ends.of(going.map(({ session, hosts }) => ({ session, hostCount: hosts.length })));
  const isRough = going.some(({ session }) => !planned.has(session.id));
  const common = isRough ? await findCommonTimes(deps) : undefined;
  const freezes = isRough ? await findFreezes(deps.db) : [];
  return Promise.all(
    sessions.map(async ({ session }): Promise<EndForecast | undefined> => {
      const end = planned.get(session.id);
      if (end !== undefined) return { kind: 'planned', end };
      if (!mayEnd(session) || common === undefined) return undefined;
      return { kind: 'rough', times: await hostTimesOf(deps, session, common), freezes };
    }),
  );
};

const listProgress = async (deps: SummariesDeps, filter: ListFilter): Promise<ListedSessionBody[]> => {
  const { db } = deps;
  const sessions = await findSessionsWithHosts(db, filter.isArchived);
  const forecasts = await forecastsOf(deps, sessions);
  const now = await databaseNow(db);
  const creators = await findCreators(
    db,
    sessions.map(({ session }) => session.id),
  );
  return sessions
    .map((one, at) => ({ progress: progressOf({ ...one, forecast: forecasts[at], now }), hosts: one.hosts }))
    .filter(({ progress, hosts }) => isWanted(filter, progress, hosts))
    .map(({ progress }) => ({ ...progress, created_by: creators.get(progress.session_id) ?? null }));
};
