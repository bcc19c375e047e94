/** Stores constraints of many instances and groups in one transaction, each as it would be stored alone. */
import { Prisma } from '@prisma/client';
import { type IdKey, keyOf } from '../../rules/cloud/id';
import {
  type RecordToWrite,
  type StoredOwners,
  type WriteAnswer,
  WriteJudge,
  type Writer,
} from '../../rules/constraints/constraint-writes';
import { type Database, inTransaction, type Transaction } from '../database';
import { holdOffAdmission, lockRecords } from './constraint-locks';
import type { GroupConstraints, InstanceConstraints } from './constraints';

interface WrittenBy {
  readonly writer: Writer;
  /** True when the cloud has the group, and it belongs to this project. */
  readonly isOwnGroup: boolean;
}

export type ConstraintsToWrite = WrittenBy &
  (
    | { readonly kind: 'instance'; readonly constraints: InstanceConstraints }
    | { readonly kind: 'group'; readonly constraints: GroupConstraints }
  );

/** Transactions with more locks could use up PostgreSQL's memory for locks. */
export const mostAtOnce = 200;

/**
 * @param writes at most `mostAtOnce`; of several for one record, the last counts
 * @returns their answers, in their order
 */
export const writeConstraints = (db: Database, writes: readonly ConstraintsToWrite[]): Promise<WriteAnswer[]> =>
  inTransaction(db, async (tx) => {
    const records = writes.map(recordOf);
    const instanceKeys = unique(records.flatMap(({ instanceKey }) => instanceKey ?? []));
    const groupKeys = unique(records.map(({ groupKey }) => groupKey));
    await holdOffAdmission(tx);
    if (instanceKeys.length > 0) await lockRecords(tx, 'instance', instanceKeys);
    await lockRecords(tx, 'group', groupKeys);
    const judge = new WriteJudge(await findOwners(tx, { instanceKeys, groupKeys }));
    const instances = new Map<IdKey, InstanceConstraints>();
    const groups = new Map<IdKey, GroupConstraints>();
    const takenOver = new Set<IdKey>();
    const answers = writes.map((write): WriteAnswer => {
      const record = recordOf(write);
      const isOfOther = judge.isGroupOfOther(record);
      const answer = judge.judge(record);
      if (answer.kind !== 'written') return answer;
      if (isOfOther) takenOver.add(record.groupKey);
      if (write.kind === 'instance') instances.set(keyOf(write.constraints.instanceId), write.constraints);
      else groups.set(record.groupKey, write.constraints);
      return answer;
    });
    if (takenOver.size > 0) await tx.groupConstraint.deleteMany({ where: { groupKey: { in: [...takenOver] } } });
    if (instances.size > 0) await storeInstances(tx, [...instances.values()]);
    if (groups.size > 0) await storeGroups(tx, [...groups.values()]);
    return answers;
  });

const recordOf = ({ kind, constraints, writer, isOwnGroup }: ConstraintsToWrite): RecordToWrite => {
  const keys = { projectKey: keyOf(constraints.projectId), groupKey: keyOf(constraints.groupId) };
  return { ...keys, writer, isOwnGroup, ...(kind === 'instance' && { instanceKey: keyOf(constraints.instanceId) }) };
};

const unique = (keys: readonly IdKey[]): IdKey[] => [...new Set(keys)];

const findOwners = async (
  tx: Transaction,
  { instanceKeys, groupKeys }: { readonly instanceKeys: readonly IdKey[]; readonly groupKeys: readonly IdKey[] },
): Promise<StoredOwners> => ({
  instances: await tx.$queryRaw<StoredOwners['instances'][number][]>`
    SELECT instance_key AS "instanceKey", project_key AS "projectKey", group_key AS "groupKey"
    FROM instance_constraint WHERE instance_key = ANY(${instanceKeys}::text[])`,
  groups: await tx.$queryRaw<StoredOwners['groups'][number][]>`
    SELECT group_key AS "groupKey", id_key(project_id) AS "projectKey"
    FROM group_constraint WHERE group_key = ANY(${groupKeys}::text[])`,
  members: await tx.$queryRaw<StoredOwners['members'][number][]>`
    SELECT group_key AS "groupKey", project_key AS "projectKey", count(*)::int AS count
    FROM instance_constraint WHERE group_key = ANY(${groupKeys}::text[]) GROUP BY group_key, project_key`,
});

/** A manager may store the same record again: its time stays, so that no action is delayed. */
const storeInstances = async (tx: Transaction, constraints: readonly InstanceConstraints[]): Promise<void> => {
  await tx.$executeRaw`
    INSERT INTO instance_constraint AS stored (instance_id, project_id, group_id, instance_name,
      max_interruption_time, migration_type, resource_mitigation, lead_time, created_at)
    SELECT given.*, now.now FROM (SELECT clock_timestamp() AS now) AS now, jsonb_to_recordset(${asJson(constraints)}::jsonb)
      AS given("instanceId" text, "projectId" text, "groupId" text, "instanceName" text, "maxInterruptionTime" int,
        "migrationType" text, "resourceMitigation" boolean, "leadTime" int)
    ON CONFLICT (instance_key) DO UPDATE SET (instance_id, project_id, group_id, instance_name,
        max_interruption_time, migration_type, resource_mitigation, lead_time, missing_since, updated_at)
      = (EXCLUDED.instance_id, EXCLUDED.project_id, EXCLUDED.group_id, EXCLUDED.instance_name,
        EXCLUDED.max_interruption_time, EXCLUDED.migration_type, EXCLUDED.resource_mitigation, EXCLUDED.lead_time, NULL,
        CASE WHEN ${instanceDiffers} THEN EXCLUDED.created_at ELSE stored.updated_at END)
    WHERE stored.missing_since IS NOT NULL OR ${instanceDiffers}`;
};

const instanceDiffers = Prisma.sql`(stored.instance_id, stored.project_id, stored.group_id, stored.instance_name,
    stored.max_interruption_time, stored.migration_type, stored.resource_mitigation, stored.lead_time)
  IS DISTINCT FROM (EXCLUDED.instance_id, EXCLUDED.project_id, EXCLUDED.group_id, EXCLUDED.instance_name,
    EXCLUDED.max_interruption_time, EXCLUDED.migration_type, EXCLUDED.resource_mitigation, EXCLUDED.lead_time)`;

const storeGroups = async (tx: Transaction, constraints: readonly GroupConstraints[]): Promise<void> => {
  await tx.$executeRaw`
    INSERT INTO group_constraint AS stored (group_id, project_id, group_name, anti_affinity_group,
      max_instances_per_host, max_impacted_members, recovery_time, resource_mitigation, created_at)
    SELECT given.*, now.now FROM (SELECT clock_timestamp() AS now) AS now, jsonb_to_recordset(${asJson(constraints)}::jsonb)
      AS given("groupId" text, "projectId" text, "groupName" text, "antiAffinityGroup" boolean,
        "maxInstancesPerHost" int, "maxImpactedMembers" int, "recoveryTime" int, "resourceMitigation" boolean)
    ON CONFLICT (group_key) DO UPDATE SET (group_id, project_id, group_name, anti_affinity_group,
        max_instances_per_host, max_impacted_members, recovery_time, resource_mitigation, missing_since, updated_at)
      = (EXCLUDED.group_id, EXCLUDED.project_id, EXCLUDED.group_name, EXCLUDED.anti_affinity_group,
        EXCLUDED.max_instances_per_host, EXCLUDED.max_impacted_members, EXCLUDED.recovery_time,
        EXCLUDED.resource_mitigation, NULL,
        CASE WHEN ${groupDiffers} THEN EXCLUDED.created_at ELSE stored.updated_at END)
    WHERE stored.missing_since IS NOT NULL OR ${groupDiffers}`;
};

const groupDiffers = Prisma.sql`(stored.group_id, stored.project_id, stored.group_name, stored.anti_affinity_group,
    stored.max_instances_per_host, stored.max_impacted_members, stored.recovery_time, stored.resource_mitigation)
  IS DISTINCT FROM (EXCLUDED.group_id, EXCLUDED.project_id, EXCLUDED.group_name, EXCLUDED.anti_affinity_group,
    EXCLUDED.max_instances_per_host, EXCLUDED.max_impacted_members, EXCLUDED.recovery_time,
    EXCLUDED.resource_mitigation)`;

const asJson = (records: readonly object[]): string => JSON.stringify(records);
