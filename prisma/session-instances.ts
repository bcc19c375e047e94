/** The instances that were seen on the hosts of a session. */
import type { Queryable } from './database';

export interface SeenInstance {
  readonly instanceId: string;
  readonly instanceName: string;
  readonly projectId: string;
  readonly host: string;
  readonly state: string;
}

interface SessionScope {
  readonly sessionId: string;
  readonly hostnames: ReadonlySet<string>;
}

/** How the records have to change to be what the cloud lists. */
export interface InstanceChanges {
  readonly added: readonly SeenInstance[];
  readonly changed: readonly { readonly id: string; readonly host: string; readonly state: string }[];
}

/**
 * Of all instances that the cloud lists: those on the session's hosts that are seen for the first time, and where host
 * or state of those known differs, until they are gone.
 */
export const unseenChanges = async (
  db: Queryable,
  { sessionId, hostnames }: SessionScope,
  listed: readonly SeenInstance[],
): Promise<InstanceChanges> => {
  const known = await db.sessionInstance.findMany({
    where: { sessionId },
    select: { id: true, instanceId: true, host: true, state: true },
  });
  const isKnown = new Set(known.map(({ instanceId }) => instanceId));
  const listedById = new Map(listed.map((instance) => [instance.instanceId, instance]));
  return {
    added: listed.filter(({ instanceId, host }) => hostnames.has(host) && !isKnown.has(instanceId)),
    changed: known.flatMap((record) => {
      const { host = record.host, state = deletedState } = listedById.get(record.instanceId) ?? {};
      return record.host === host && record.state === state ? [] : [{ id: record.id, host, state }];
    }),
  };
};

/** Makes the records of a session what the cloud lists; writes only what differs, in two statements at most. */
export const recordSeenInstances = async (
  tx: Queryable,
  scope: SessionScope,
  listed: readonly SeenInstance[],
): Promise<void> => {
  const { added, changed } = await unseenChanges(tx, scope, listed);
  const { sessionId } = scope;
  if (added.length > 0) {
    const data = added.map(({ instanceId, instanceName, projectId, host, state }) => ({
      ...{ sessionId, instanceId, instanceName, projectId, host, state },
    }));
    await tx.sessionInstance.createMany({ data });
  }
  if (changed.length === 0) return;
  // In the order in which everybody locks them.
  await tx.$executeRaw`
    WITH locked AS (
      SELECT known.id, r.host, r.state FROM session_instance AS known
      JOIN jsonb_to_recordset(${JSON.stringify(changed)}::jsonb) AS r(id uuid, host text, state text) ON known.id = r.id
      ORDER BY known.id FOR UPDATE OF known
    )
    UPDATE session_instance SET host = locked.host, state = locked.state, updated_at = clock_timestamp()
    FROM locked WHERE session_instance.id = locked.id`;
};

/** What the cloud says of an instance that it does not list any more. */
const deletedState = 'DELETED';

/**
 * Projects that had an instance on the session's hosts at any time of the session, each with those it has there now.
 */
export const findSessionProjects = async (db: Queryable, sessionId: string): Promise<ReadonlyMap<string, string[]>> => {
  const hosts = await db.sessionHost.findMany({ where: { sessionId }, select: { hostname: true } });
  const hostnames = new Set(hosts.map(({ hostname }) => hostname));
  const rows = await db.sessionInstance.findMany({ where: { sessionId }, orderBy: { instanceId: 'asc' } });
  const projects = new Map<string, string[]>();
  for (const { projectId, instanceId, host, state } of rows) {
    const present = projects.get(projectId) ?? [];
    if (state !== deletedState && hostnames.has(host)) present.push(instanceId);
    projects.set(projectId, present);
  }
  return projects;
};

export interface InstanceChange {
  readonly action?: string;
  readonly actionDone?: boolean;
  readonly projectState?: string;
  readonly host?: string;
  readonly state?: string;
  readonly details?: string | null;
}

/** @param updatedAt by the database's clock */
export const changeInstance = async (
  tx: Queryable,
  { sessionId, instanceId }: { sessionId: string; instanceId: string },
  { updatedAt, ...change }: InstanceChange & { readonly updatedAt: Date },
): Promise<void> => {
  await tx.sessionInstance.updateMany({ where: { sessionId, instanceId }, data: { ...change, updatedAt } });
};
