/** The instances that were seen on the hosts of a session. */
import { databaseNow, type Queryable } from './database';

export interface SeenInstance {
  readonly instanceId: string;
  readonly instanceName: string;
  readonly projectId: string;
  readonly host: string;
  readonly state: string;
}

/**
 * Of all instances that the cloud lists: adds those on the session's hosts that are seen for the first time, and follows
 * the host and state of those known, until they are gone. Writes only what differs.
 */
export const recordSeenInstances = async (
  tx: Queryable,
  { sessionId, hostnames }: { readonly sessionId: string; readonly hostnames: ReadonlySet<string> },
  listed: readonly SeenInstance[],
): Promise<void> => {
  const known = await tx.sessionInstance.findMany({ where: { sessionId } });
  const isKnown = new Set(known.map(({ instanceId }) => instanceId));
  const isNew = ({ instanceId, host }: SeenInstance) => hostnames.has(host) && !isKnown.has(instanceId);
  const added = listed.filter(isNew).map(({ instanceId, instanceName, projectId, host, state }) => ({
    ...{ sessionId, instanceId, instanceName, projectId, host, state },
  }));
  await tx.sessionInstance.createMany({ data: added });
  await followKnown(tx, known, listed);
};

/** What the cloud says of an instance that it does not list any more. */
const deletedState = 'DELETED';

const followKnown = async (
  tx: Queryable,
  known: readonly (SeenInstance & { readonly id: string })[],
  listed: readonly SeenInstance[],
): Promise<void> => {
  const listedById = new Map(listed.map((instance) => [instance.instanceId, instance]));
  const now = await databaseNow(tx);
  for (const record of known) {
    const { host = record.host, state = deletedState } = listedById.get(record.instanceId) ?? {};
    if (record.host === host && record.state === state) continue;
    await tx.sessionInstance.update({ where: { id: record.id }, data: { host, state, updatedAt: now } });
  }
};

/** Projects that had an instance on the session's hosts at any time of the session, each with those it has there now. */
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

export const changeInstance = async (
  tx: Queryable,
  { sessionId, instanceId }: { sessionId: string; instanceId: string },
  change: InstanceChange,
): Promise<void> => {
  await tx.sessionInstance.updateMany({
    where: { sessionId, instanceId },
    data: { ...change, updatedAt: await databaseNow(tx) },
  });
};
