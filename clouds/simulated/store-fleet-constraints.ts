/** Stores the constraints that a fleet file carries, as the managers of its projects would through the API. */
import type { Transaction } from '../../prisma/database';
import type { FileFleet } from '../../rules/simulation/file-fleet';

const storeGroups = async (tx: Transaction, { groups }: FileFleet): Promise<void> => {
  await tx.$executeRaw`
    INSERT INTO group_constraint (group_id, project_id, group_name, anti_affinity_group, max_instances_per_host,
                                  max_impacted_members, recovery_time, resource_mitigation)
    SELECT r."groupId", r."projectId", r."groupName", r."antiAffinityGroup", r."maxInstancesPerHost",
           r."maxImpactedMembers", r."recoveryTime", r."resourceMitigation"
    FROM jsonb_to_recordset(${JSON.stringify(groups)}::jsonb) AS r(
      "groupId" text, "projectId" text, "groupName" text, "antiAffinityGroup" boolean, "maxInstancesPerHost" int,
      "maxImpactedMembers" int, "recoveryTime" int, "resourceMitigation" boolean)
    ON CONFLICT (group_key) DO UPDATE SET
      group_id = EXCLUDED.group_id, project_id = EXCLUDED.project_id, group_name = EXCLUDED.group_name,
      anti_affinity_group = EXCLUDED.anti_affinity_group, max_instances_per_host = EXCLUDED.max_instances_per_host,
      max_impacted_members = EXCLUDED.max_impacted_members, recovery_time = EXCLUDED.recovery_time,
      resource_mitigation = EXCLUDED.resource_mitigation, updated_at = clock_timestamp()`;
};

const storeInstances = async (tx: Transaction, { instances }: FileFleet): Promise<void> => {
  const rows = instances.flatMap(({ constraints, instanceId, instanceName, projectId }) =>
    constraints === undefined ? [] : [{ instanceId, instanceName, projectId, ...constraints }],
  );
  await tx.$executeRaw`
    INSERT INTO instance_constraint (instance_id, project_id, group_id, instance_name, max_interruption_time,
                                     migration_type, resource_mitigation, lead_time)
    SELECT r."instanceId", r."projectId", r."groupId", r."instanceName", r."maxInterruptionTime",
           r."migrationType", r."resourceMitigation", r."leadTime"
    FROM jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) AS r(
      "instanceId" text, "projectId" text, "groupId" text, "instanceName" text, "maxInterruptionTime" int,
      "migrationType" text, "resourceMitigation" boolean, "leadTime" int)
    ON CONFLICT (instance_key) DO UPDATE SET
      instance_id = EXCLUDED.instance_id, project_id = EXCLUDED.project_id, group_id = EXCLUDED.group_id, instance_name = EXCLUDED.instance_name,
      max_interruption_time = EXCLUDED.max_interruption_time, migration_type = EXCLUDED.migration_type,
      resource_mitigation = EXCLUDED.resource_mitigation, lead_time = EXCLUDED.lead_time,
      updated_at = clock_timestamp()`;
};

/** Stores the group first, then its instances, as managers do. Overwrites stored records. */
export const storeFleetConstraints = async (tx: Transaction, fleet: FileFleet): Promise<void> => {
  await storeGroups(tx, fleet);
  await storeInstances(tx, fleet);
};
