/** Makes the report of a session from its records: the work on each host, the questions to tenants, who did what. */
import type { CloudDriver } from '../../clouds/cloud-driver';
import { findCreators } from '../../prisma/audit/creators';
import type { Database } from '../../prisma/database';
import { findSessionDetail, type SessionHostDetail } from '../../prisma/session/session-detail';
import { findKeptPlan, type KeptHost, type KeptPlan } from '../../prisma/session/session-plan';
import { findSessionProgress, type SessionProgress } from '../../prisma/session/session-progress';
import {
  type AskedProject,
  findAskedProjects,
  findReportedMoves,
  type ReportedMove,
} from '../../prisma/session/session-report';
import { keyOf } from '../../rules/cloud/id';
import { sessionNotFound } from '../problems/problem-catalogue';
import type { RecordEntryBody } from '../schemas/record-schemas';
import type { ReportedHost, ReportedTenant, SessionReportBody } from '../schemas/report-schemas';
import { contactsOf } from '../showing/name-contacts';
import { withProjectNames } from '../showing/name-projects';
import { createSessionRecord } from './session-record';

export interface ReportDeps {
  readonly db: Database;
  readonly cloud: CloudDriver;
}

export type SessionReportOf = (sessionId: string) => Promise<SessionReportBody>;

/** @throws ApiError 404 */
export const createSessionReport = (deps: ReportDeps): SessionReportOf => {
  const { db, cloud } = deps;
  const recordOf = createSessionRecord(deps);
  return async (sessionId) => {
    const { entries: record } = await recordOf(sessionId);
    const session = await findSessionProgress(db, sessionId);
    const found = await findSessionDetail(db, sessionId, 'whole');
    if (session === null || found === undefined) throw sessionNotFound(sessionId);
    const [moves, asked] = await Promise.all([findReportedMoves(db, sessionId), findAskedProjects(db, sessionId)]);
    const ids = [...new Set([...asked, ...moves].map(({ projectId }) => projectId))];
    const detail = await withProjectNames(cloud, found, ids);
    const contactOf = await contactsOf({ db, cloud }, ids);
    const tenants = tenantsOf({ asked, moves, record }).map((tenant): ReportedTenant => {
      const { project_id: id } = tenant;
      return {
        ...tenant,
        project_name: detail.projectNames.get(id) ?? null,
        contact: contactOf(id).project_contact ?? null,
      };
    });
    const plan = await findKeptPlan(db, sessionId);
    const planned = new Map(plan?.hosts.map((host) => [host.hostname, host]));
    const hosts = detail.hosts.map((host) => hostIn(host, { moves, plugins: detail.plugins, planned }));
    const creators = await findCreators(db, [sessionId]);
    return {
      ...headOf(session),
      created_by: creators.get(sessionId) ?? null,
      plan: plan && planIn(plan),
      created_at: found.session.createdAt.toISOString(),
      ...totalsOf(hosts),
      hosts,
      tenants,
      record,
    };
  };
};

const isDone = ({ outcome }: ReportedMove): boolean => outcome === 'done' || outcome === 'gone';

const headOf = (session: SessionProgress) => {
  const { id, name, reason, workflow, state, failure } = session;
  return { session_id: id, name, reason, workflow, state, failure, ...timesOf(session) };
};

const planIn = ({ madeAt, endsAtEarliest, endsAt, endsAtLatest }: KeptPlan) => ({
  made_at: madeAt.toISOString(),
  ends_at_earliest: endsAtEarliest.toISOString(),
  ends_at: endsAt.toISOString(),
  ends_at_latest: endsAtLatest.toISOString(),
});

const timesOf = ({ state, stateEnteredAt, maintenanceAt, begunAt, deadline }: SessionProgress) => ({
  maintenance_at: maintenanceAt.toISOString(),
  begun_at: begunAt?.toISOString() ?? null,
  ended_at: state === 'MAINTENANCE_DONE' || state === 'MAINTENANCE_FAILED' ? stateEnteredAt.toISOString() : null,
  deadline: deadline?.toISOString() ?? null,
});

const totalsOf = (hosts: readonly ReportedHost[]) => ({
  hosts_total: hosts.length,
  hosts_maintained: hosts.filter(({ phase }) => phase === 'maintained').length,
  instances_moved: hosts.reduce((sum, { moves }) => sum + moves, 0),
});

interface WorkOnHosts {
  readonly moves: readonly ReportedMove[];
  readonly planned: ReadonlyMap<string, KeptHost>;
  readonly plugins: readonly {
    readonly hostname: string;
    readonly plugin: string;
    readonly state: string | null;
    readonly createdAt: Date;
    readonly updatedAt: Date | null;
  }[];
}

const hostIn = (host: SessionHostDetail, { moves, plugins, planned }: WorkOnHosts): ReportedHost => {
  const { hostname, phase, phaseSince, details, failure } = host;
  const away = moves.filter(({ source }) => source === hostname);
  const done = away.filter(isDone);
  return {
    hostname,
    phase,
    details: failure ?? details,
    drain_started_at: host.drainStartedAt?.toISOString() ?? null,
    maintenance_started_at: host.maintainedFrom?.toISOString() ?? null,
    back_at: phase === 'maintained' ? phaseSince.toISOString() : null,
    ...timesByPlan(planned.get(hostname)),
    moves: done.length,
    failed_moves: away.filter(({ outcome }) => outcome === 'failed' || outcome === 'expired').length,
    instances: [...new Set(done.map(({ instanceName }) => instanceName))],
    plugins: plugins
      .filter((one) => one.hostname === hostname)
      .map(({ plugin, state, createdAt, updatedAt }) => ({
        ...{ plugin, state, started_at: createdAt.toISOString(), updated_at: updatedAt?.toISOString() ?? null },
      })),
  };
};

const timesByPlan = (planned: KeptHost | undefined) => ({
  planned_begin_at: planned?.beginsAt ?? null,
  planned_back_at: planned?.backAt ?? null,
});

interface WorkWithTenants {
  readonly asked: readonly AskedProject[];
  readonly moves: readonly ReportedMove[];
  readonly record: readonly RecordEntryBody[];
}

type NamelessTenant = Omit<ReportedTenant, 'project_name' | 'contact'>;

const tenantsOf = ({ asked, moves, record }: WorkWithTenants): NamelessTenant[] => {
  const movesOf = Map.groupBy(moves.filter(isDone), ({ projectId }) => keyOf(projectId));
  const askedOf = new Map(asked.map((one) => [keyOf(one.projectId), one]));
  const repliesOf = Map.groupBy(
    record.filter(({ by }) => by === 'project'),
    ({ project_id: id }) => keyOf(id ?? ''),
  );
  return [...new Set([...askedOf.keys(), ...movesOf.keys()])].map((key) => {
    const moved = movesOf.get(key) ?? [];
    const who = (repliesOf.get(key) ?? []).flatMap((reply) => reply.who ?? []);
    const { projectId, byTerms, ...counts } = askedOf.get(key) ?? neverAsked(moved[0]?.projectId ?? key);
    return {
      ...{ project_id: projectId, ...counts, by_terms: byTerms, answered_by: [...new Set(who)] },
      moved: new Set(moved.map(({ instanceId }) => instanceId)).size,
    };
  });
};

const neverAsked = (projectId: string): AskedProject => ({
  ...{ projectId, asked: 0, replied: 0, refused: 0, byTerms: 0, silent: 0 },
});
