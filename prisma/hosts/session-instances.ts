/** The instances that were seen on the hosts of a session. */
import { isDeepStrictEqual } from 'node:util';
import { type IdKey, keyOf } from '../../rules/cloud/id';
import type { ToldTerms } from '../../rules/cloud/terms';
import type { Queryable } from '../database';

export interface SeenInstance {
  readonly instanceId: string;
  readonly instanceName: string;
  readonly projectId: string;
  readonly host: string;
  readonly state: string;
}

/** An instance as the cloud lists it, with what its project tells the cloud. */
interface InstanceInList extends SeenInstance {
  readonly terms?: ToldTerms | null | undefined;
}

export interface SessionScope {
  readonly sessionId: string;
  /** The time at which the cloud's list was begun. */
  readonly takenAt: Date;
  readonly hostnames: ReadonlySet<string>;
  /** Hosts of which the cloud knows nothing at present: what was on them may still be there. */
  readonly unknownHosts: ReadonlySet<string>;
}

/** The changes that make the records equal to the cloud's list. */
export interface InstanceChanges {
  readonly added: readonly InstanceInList[];
  readonly changed: readonly (Pick<InstanceInList, 'instanceId' | 'projectId' | 'host' | 'state' | 'terms'> & {
    readonly recordId: string;
    /** The cloud writes an ID in another form than the record. */
    readonly isRewritten: boolean;
  })[];
  /** Instances that are on a host of the session, and were not there at the last look. */
  readonly arrived: readonly SeenInstance[];
}

/**
 * Compares the records with the cloud's list. New records are for instances that are seen for the first time on the
 * session's hosts. Known records change when the host, the state, the terms or the form of the ID differs, until the
 * instance is gone. A record that is newer than the list stays: an action may have ended meanwhile.
 */
export const unseenChanges = async (
  db: Queryable,
  { sessionId, takenAt, hostnames, unknownHosts }: SessionScope,
  listed: readonly InstanceInList[],
): Promise<InstanceChanges> => {
  const known = await db.sessionInstance.findMany({
    where: { sessionId },
    select: {
      id: true,
      instanceId: true,
      instanceKey: true,
      projectId: true,
      host: true,
      state: true,
      terms: true,
      updatedAt: true,
    },
  });
  const isKnown = new Set<string>(known.map(({ instanceKey }) => instanceKey));
  const older = known.filter(({ updatedAt }) => updatedAt === null || updatedAt < takenAt);
  const listedByKey = new Map<string, InstanceInList>(listed.map((instance) => [keyOf(instance.instanceId), instance]));
  const hostBefore = new Map<string, string>(older.map(({ instanceKey, host }) => [instanceKey, host]));
  const onHosts = [...listedByKey.values()].filter(({ host }) => hostnames.has(host));
  const added = onHosts.filter(({ instanceId }) => !isKnown.has(keyOf(instanceId)));
  const moved = onHosts.filter(({ instanceId, host }) => (hostBefore.get(keyOf(instanceId)) ?? host) !== host);
  return {
    added,
    arrived: [...added, ...moved],
    changed: older.flatMap((record) => {
      // The column holds what a look wrote.
      const known = { ...record, terms: record.terms as ToldTerms | null };
      const unlisted = unknownHosts.has(record.host) ? known : { ...known, state: deletedState };
      const { instanceId, projectId, host, state, terms = null } = listedByKey.get(record.instanceKey) ?? unlisted;
      const isRewritten = record.instanceId !== instanceId || record.projectId !== projectId;
      const isSame =
        record.host === host && record.state === state && !isRewritten && isDeepStrictEqual(record.terms, terms);
      return isSame ? [] : [{ recordId: record.id, instanceId, projectId, host, state, terms, isRewritten }];
    }),
  };
};

/** Makes the records of a session equal to the cloud's list. Writes only the differences, in two statements at most. */
export const recordSeenInstances = async (
  tx: Queryable,
  scope: SessionScope,
  listed: readonly InstanceInList[],
): Promise<void> => {
  const { added, changed } = await unseenChanges(tx, scope, listed);
  const { sessionId } = scope;
  await insertInstances(tx, sessionId, added);
  if (changed.length === 0) return;
  await rewriteIds(
    tx,
    sessionId,
    changed.filter(({ isRewritten }) => isRewritten),
  );
  // Locks them in the order in which all code does.
  await tx.$executeRaw`
    WITH locked AS (
      SELECT known.id, r."instanceId", r."projectId", r.host, r.state, r.terms FROM session_instance AS known
      JOIN jsonb_to_recordset(${JSON.stringify(changed)}::jsonb)
        AS r("recordId" uuid, "instanceId" text, "projectId" text, host text, state text, terms jsonb) ON known.id = r."recordId"
      ORDER BY known.id FOR UPDATE OF known
    )
    UPDATE session_instance SET host = locked.host, state = locked.state, instance_id = locked."instanceId",
      project_id = locked."projectId", terms = locked.terms, updated_at = clock_timestamp()
    FROM locked WHERE session_instance.id = locked.id`;
};

/** Sends one parameter: the values of 12,000 rows one by one would occupy the process for seconds. */
const insertInstances = async (tx: Queryable, sessionId: string, added: readonly InstanceInList[]): Promise<void> => {
  if (added.length === 0) return;
  const rows = added.map(({ instanceId, instanceName, projectId, host, state, terms }) => ({
    instanceId,
    instanceName,
    projectId,
    host,
    state,
    terms,
  }));
  await tx.$executeRaw`
    INSERT INTO session_instance (id, session_id, instance_id, instance_name, project_id, host, state, terms)
    SELECT gen_random_uuid(), ${sessionId}::uuid, r."instanceId", r."instanceName", r."projectId", r.host, r.state, r.terms
    FROM jsonb_to_recordset(${JSON.stringify(rows)}::jsonb)
      AS r("instanceId" text, "instanceName" text, "projectId" text, host text, state text, terms jsonb)`;
};

/**
 * Writes the IDs in claims and questions in the cloud's present form, so that an ID has one form within a session. A
 * cloud keeps its form, but a fleet file that is loaded again may bring another, and records may be older than this
 * rule.
 */
const rewriteIds = async (
  tx: Queryable,
  sessionId: string,
  rewritten: readonly Pick<SeenInstance, 'instanceId' | 'projectId'>[],
): Promise<void> => {
  if (rewritten.length === 0) return;
  // Looked up in objects: searching all IDs for every question would take minutes when there are thousands.
  const instances = JSON.stringify(byKey(rewritten.map(({ instanceId }) => instanceId)));
  const projects = JSON.stringify(byKey(rewritten.map(({ projectId }) => projectId)));
  await tx.$executeRaw`
    WITH written AS MATERIALIZED (
      SELECT ${instances}::jsonb AS instances, ${projects}::jsonb AS projects
    ), locked AS (
      SELECT id FROM question WHERE session_id = ${sessionId}::uuid ORDER BY id FOR UPDATE
    )
    UPDATE question SET
      project_id = coalesce(written.projects ->> project_key, project_id),
      instance_id = coalesce(written.instances ->> instance_key, instance_id),
      instance_ids = (
        SELECT coalesce(jsonb_agg(coalesce(written.instances ->> id_key(named.id), named.id) ORDER BY named.place), '[]')
        FROM jsonb_array_elements_text(question.instance_ids) WITH ORDINALITY AS named(id, place)),
      instance_actions = (
        SELECT coalesce(jsonb_object_agg(coalesce(written.instances ->> id_key(chosen.id), chosen.id), chosen.action), '{}')
        FROM jsonb_each(question.instance_actions) AS chosen(id, action))
    FROM locked, written WHERE question.id = locked.id`;
  await tx.$executeRaw`
    WITH locked AS (
      SELECT claim.id, r."instanceId", r."projectId" FROM claim
      JOIN jsonb_to_recordset(${JSON.stringify(rewritten)}::jsonb) AS r("instanceId" text, "projectId" text)
        ON claim.instance_key = id_key(r."instanceId")
      ORDER BY claim.id FOR UPDATE OF claim
    )
    UPDATE claim SET instance_id = locked."instanceId", project_id = locked."projectId"
    FROM locked WHERE claim.id = locked.id`;
};

/** The IDs by their keys. */
const byKey = (ids: readonly string[]): Readonly<Record<IdKey, string>> =>
  Object.fromEntries(ids.map((id) => [keyOf(id), id]));

/** The cloud's state for an instance that it does not list any more. */
export const deletedState = 'DELETED';

/** The IDs of the instances that the session believes on the host, in the order in which all code locks their rows. */
export const findInstancesSeenOn = async (
  db: Queryable,
  { sessionId, hostname: host }: { readonly sessionId: string; readonly hostname: string },
): Promise<readonly string[]> => {
  const where = { sessionId, host, state: { not: deletedState } };
  const rows = await db.sessionInstance.findMany({ where, select: { instanceId: true }, orderBy: { id: 'asc' } });
  return rows.map(({ instanceId }) => instanceId);
};

/**
 * Projects that had an instance on the session's hosts at any time of the session, each with its present instances
 * there.
 */
export const findSessionProjects = async (db: Queryable, sessionId: string): Promise<ReadonlyMap<string, string[]>> => {
  const rows = await db.$queryRaw<{ readonly projectId: string; readonly present: string[] }[]>`
    SELECT seen.project_id AS "projectId", coalesce(array_agg(seen.instance_id ORDER BY seen.instance_key)
      FILTER (WHERE seen.state <> ${deletedState} AND host.hostname IS NOT NULL), '{}') AS present
    FROM session_instance AS seen
    LEFT JOIN session_host AS host
      ON host.session_id = seen.session_id AND host.hostname = seen.host AND host.phase <> 'skipped'
    WHERE seen.session_id = ${sessionId}::uuid GROUP BY seen.project_id ORDER BY min(seen.instance_key)`;
  return new Map(rows.map(({ projectId, present }) => [projectId, present]));
};

/** The names of the hosts on which the session has seen instances of the project. */
export const findHostsOfProject = async (
  db: Queryable,
  { sessionId, projectId }: { readonly sessionId: string; readonly projectId: string },
): Promise<string[]> => {
  const where = { sessionId, state: { not: deletedState } };
  const rows = await db.sessionInstance.findMany({ where, select: { host: true, projectId: true } });
  return rows.filter((row) => keyOf(row.projectId) === keyOf(projectId)).map(({ host }) => host);
};

interface InstancesOfSession {
  readonly sessionId: string;
  readonly instanceIds: readonly string[];
}

/** The names of those instances that the session has seen. */
export const findInstanceNames = async (
  db: Queryable,
  { sessionId, instanceIds }: InstancesOfSession,
): Promise<readonly { readonly instanceKey: IdKey; readonly instanceName: string; readonly projectKey: IdKey }[]> => {
  if (instanceIds.length === 0) return [];
  const found = await db.sessionInstance.findMany({
    where: { sessionId, instanceKey: { in: instanceIds.map(keyOf) } },
    select: { instanceId: true, instanceName: true, projectId: true },
  });
  return found.map(({ instanceId, instanceName, projectId }) => ({
    instanceKey: keyOf(instanceId),
    instanceName,
    projectKey: keyOf(projectId),
  }));
};

export interface InstanceChange {
  readonly action?: string;
  readonly actionDone?: boolean;
  readonly projectState?: string;
  readonly host?: string;
  readonly state?: string;
  readonly details?: string | null;
  readonly heldUpSince?: Date;
}

/** Null: the session tells nothing about the instance. */
export const findInstanceDetails = async (
  db: Queryable,
  { sessionId, instanceId }: { readonly sessionId: string; readonly instanceId: string },
): Promise<string | null> => {
  const where = { sessionId, instanceKey: keyOf(instanceId) };
  const row = await db.sessionInstance.findFirst({ where, select: { details: true } });
  return row?.details ?? null;
};

/** @param updatedAt by the database's clock */
export const changeInstance = async (
  tx: Queryable,
  { sessionId, instanceId }: { sessionId: string; instanceId: string },
  { updatedAt, ...change }: InstanceChange & { readonly updatedAt: Date },
): Promise<void> => {
  await tx.sessionInstance.updateMany({
    where: { sessionId, instanceKey: keyOf(instanceId) },
    data: { ...change, updatedAt },
  });
};
