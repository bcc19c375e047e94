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
import { type Database, type Transaction } from '../database';
import { inConstraintWriting, lockRecords } from './constraint-locks';
import type { GroupConstraints, InstanceConstraints } from './constraints';

/** Constraints of an instance or of a group. */
export type ConstraintsOfOne =
  | { readonly kind: 'instance'; readonly constraints: InstanceConstraints }
  | { readonly kind: 'group'; readonly constraints: GroupConstraints };

export type ConstraintsToWrite = ConstraintsOfOne & {
  readonly writer: Writer;
  /** True when the cloud has the group, and it belongs to this project. */
  readonly isOwnGroup: boolean;
};

/** Transactions with more locks could use up PostgreSQL's memory for locks. */
export const mostAtOnce = 200;

/**
 * @param writes at most `mostAtOnce`; of several for one record, the last counts
 * @returns their answers, in their order
 */
export const writeConstraints = (db: Database, writes: readonly ConstraintsToWrite[]): Promise<WriteAnswer[]> =>
  inConstraintWriting(db, async (tx) => {
    const asked = writes.map((write) => ({ write, record: recordOf(write) }));
    const instanceKeys = unique(asked.flatMap(({ record }) => record.instanceKey ?? []));
    const groupKeys = unique(asked.map(({ record }) => record.groupKey));
    if (instanceKeys.length > 0) await lockRecords(tx, 'instance', instanceKeys);
    await lockRecords(tx, 'group', groupKeys);
    const judge = new WriteJudge(await findOwners(tx, { instanceKeys, groupKeys }));
    const instances = new Map<IdKey, InstanceConstraints>();
    const groups = new Map<IdKey, GroupConstraints>();
    const takenOver = new Set<IdKey>();
    const answers = asked.map(({ write, record }): WriteAnswer => {
      const isOfOther = judge.isGroupOfOther(record);
      const answer = judge.judge(record);
      if (answer.kind !== 'written') return answer;
      if (isOfOther) takenOver.add(record.groupKey);
      if (write.kind === 'instance') instances.set(keyOf(write.constraints.instanceId), write.constraints);
      else groups.set(record.groupKey, write.constraints);
      return answer;
    });
    if (takenOver.size > 0) await tx.groupConstraint.deleteMany({ where: { groupKey: { in: [...takenOver] } } });
    if (instances.size > 0) await store(tx, instanceTable, [...instances.values()]);
    if (groups.size > 0) await store(tx, groupTable, [...groups.values()]);
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

/** A table of constraints, with the columns that projects store. */
interface RecordTable<Row> {
  readonly name: string;
  readonly key: string;
  /** The column of each field, and its type. */
  readonly columns: { readonly [Field in keyof Row]-?: readonly [column: string, type: string] };
}

const instanceTable: RecordTable<InstanceConstraints> = {
  name: 'instance_constraint',
  key: 'instance_key',
  columns: {
    instanceId: ['instance_id', 'text'],
    projectId: ['project_id', 'text'],
    groupId: ['group_id', 'text'],
    instanceName: ['instance_name', 'text'],
    maxInterruptionTime: ['max_interruption_time', 'int'],
    migrationType: ['migration_type', 'text'],
    resourceMitigation: ['resource_mitigation', 'boolean'],
    leadTime: ['lead_time', 'int'],
    terms: ['terms', 'jsonb'],
  },
};

const groupTable: RecordTable<GroupConstraints> = {
  name: 'group_constraint',
  key: 'group_key',
  columns: {
    groupId: ['group_id', 'text'],
    projectId: ['project_id', 'text'],
    groupName: ['group_name', 'text'],
    antiAffinityGroup: ['anti_affinity_group', 'boolean'],
    maxInstancesPerHost: ['max_instances_per_host', 'int'],
    maxImpactedMembers: ['max_impacted_members', 'int'],
    recoveryTime: ['recovery_time', 'int'],
    resourceMitigation: ['resource_mitigation', 'boolean'],
    terms: ['terms', 'jsonb'],
  },
};

/** A manager may store the same record again: its time stays, so that no action is delayed. */
const store = async <Row>(
  tx: Transaction,
  { name, key, columns }: RecordTable<Row>,
  rows: readonly Row[],
): Promise<void> => {
  const fields = Object.entries<readonly [string, string]>(columns);
  const each = (words: (column: string) => string): Prisma.Sql =>
    Prisma.raw(fields.map(([, [column]]) => words(column)).join(', '));
  const [own, known, given] = [each((it) => it), each((it) => `stored.${it}`), each((it) => `EXCLUDED.${it}`)];
  const fieldsOfJson = Prisma.raw(fields.map(([field, [, type]]) => `"${field}" ${type}`).join(', '));
  const differs = Prisma.sql`(${known}) IS DISTINCT FROM (${given})`;
  await tx.$executeRaw`
    INSERT INTO ${Prisma.raw(name)} AS stored (${own}, created_at)
    SELECT given.*, now.now
    FROM (SELECT clock_timestamp() AS now) AS now, jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) AS given(${fieldsOfJson})
    ON CONFLICT (${Prisma.raw(key)}) DO UPDATE SET (${own}, missing_since, updated_at)
      = (${given}, NULL, CASE WHEN ${differs} THEN EXCLUDED.created_at ELSE stored.updated_at END)
    WHERE stored.missing_since IS NOT NULL OR ${differs}`;
};
