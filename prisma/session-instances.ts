/** The instances that were seen on the hosts of a session. */
import { databaseNow, type Queryable } from './database';

export interface SeenInstance {
  readonly instanceId: string;
  readonly instanceName: string;
  readonly projectId: string;
  readonly host: string;
  readonly state: string;
}

/** Adds those seen for the first time; follows the host and state of those known. Writes only what differs. */
export const recordSeenInstances = async (
  tx: Queryable,
  sessionId: string,
  seen: readonly SeenInstance[],
): Promise<void> => {
  const known = await tx.sessionInstance.findMany({ where: { sessionId } });
  const records = new Map(known.map((record) => [record.instanceId, record]));
  const isNew = ({ instanceId }: SeenInstance) => !records.has(instanceId);
  await tx.sessionInstance.createMany({ data: seen.filter(isNew).map((instance) => ({ ...instance, sessionId })) });
  const now = await databaseNow(tx);
  for (const { instanceId, host, state } of seen) {
    const record = records.get(instanceId);
    if (record === undefined || (record.host === host && record.state === state)) continue;
    await tx.sessionInstance.update({ where: { id: record.id }, data: { host, state, updatedAt: now } });
  }
};

/** Projects that had an instance on the session's hosts at any time of the session. */
export const findSessionProjects = async (db: Queryable, sessionId: string): Promise<ReadonlyMap<string, string[]>> => {
  const rows = await db.sessionInstance.findMany({ where: { sessionId }, orderBy: { instanceId: 'asc' } });
  const projects = new Map<string, string[]>();
  for (const { projectId, instanceId } of rows) {
    projects.set(projectId, [...(projects.get(projectId) ?? []), instanceId]);
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
