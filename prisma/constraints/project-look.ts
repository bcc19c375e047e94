/** Finds the records of one project: its instances in sessions that are not done, and its constraints. */
import type { SessionInstance } from '@prisma/client';
import type { Id, IdKey } from '../../rules/cloud/id';
import type { Database } from '../database';
import type { GroupConstraints, InstanceConstraints } from './constraints';

export interface ProjectLook {
  readonly instances: readonly SessionInstance[];
  readonly constraints: readonly InstanceConstraints[];
  readonly groups: readonly GroupConstraints[];
}

/** A project's ID has several forms in the sessions. */
export const findProjectLook = async (db: Database, { key: projectKey }: Id): Promise<ProjectLook> => {
  const [instances, constraints, groups] = await Promise.all([
    db.$queryRaw<SessionInstance[]>`
      SELECT i.id, i.session_id AS "sessionId", i.instance_id AS "instanceId", i.instance_key AS "instanceKey",
        i.instance_name AS "instanceName", i.project_id AS "projectId", i.host, i.state, i.action,
        i.action_done AS "actionDone", i.project_state AS "projectState", i.details, i.created_at AS "createdAt",
        i.updated_at AS "updatedAt"
      FROM session_instance i JOIN session s ON s.id = i.session_id
      WHERE lower(replace(i.project_id, '-', '')) = ${projectKey} AND i.state <> 'DELETED'
        AND s.deleted_at IS NULL AND s.state <> 'MAINTENANCE_DONE'
      ORDER BY i.instance_name, i.instance_id`,
    db.instanceConstraint.findMany({ where: { projectKey }, orderBy: { instanceName: 'asc' } }),
    findGroupsOf(db, projectKey),
  ]);
  return { instances, constraints, groups };
};

const findGroupsOf = async (db: Database, projectKey: IdKey): Promise<GroupConstraints[]> => {
  const keys = await db.$queryRaw<{ groupKey: string }[]>`
    SELECT group_key AS "groupKey" FROM group_constraint WHERE id_key(project_id) = ${projectKey}`;
  const groupKey = { in: keys.map((one) => one.groupKey) };
  return db.groupConstraint.findMany({ where: { groupKey }, orderBy: { groupName: 'asc' } });
};
