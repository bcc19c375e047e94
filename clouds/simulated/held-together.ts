/** Members of groups with affinity: the simulated cloud moves no member while the group has another one. */
import { Prisma } from '@prisma/client';
import type { Queryable } from '../../prisma/database';
import { togetherReason } from '../../rules/cloud/cloud-facts';
import { keyOf } from '../../rules/cloud/id';

/** Selects each instance that has to stay beside others, with its group. */
export const heldTogether = Prisma.sql`
  SELECT member.instance_key, member.instance_id, sim_group.group_id, coalesce(sim_group.name, sim_group.group_id) AS name
  FROM sim_group JOIN sim_instance AS member USING (group_key)
  WHERE affinity AND EXISTS (SELECT 1 FROM sim_instance AS other
    WHERE other.group_key = sim_group.group_key AND other.instance_key <> member.instance_key)`;

/** Reasons by the ID of an instance that has to stay beside others. */
export type HeldTogether = ReadonlyMap<string, string>;

interface MemberRow {
  readonly instanceId: string;
  readonly groupId: string;
  readonly name: string;
}

/** @param instanceId left out: of all instances */
export const findHeldTogether = async (db: Queryable, instanceId?: string): Promise<HeldTogether> => {
  const asked = instanceId === undefined ? Prisma.empty : Prisma.sql`WHERE instance_key = ${keyOf(instanceId)}`;
  const rows = await db.$queryRaw<MemberRow[]>`
    SELECT instance_id AS "instanceId", group_id AS "groupId", name FROM (${heldTogether}) AS held ${asked}`;
  return new Map(rows.map(({ instanceId, groupId, name }) => [instanceId, togetherReason(name, groupId)]));
};
