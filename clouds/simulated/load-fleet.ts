/** Loads a fleet: it replaces the simulated cloud's hosts, groups, instances and names, and keeps the log of moves. */
import { type Database, inTransaction, takeLock, type Transaction } from '../../prisma/database';
import { type FileFleet, serverGroupsOf } from '../../rules/simulation/file-fleet';
import { changeCloud, takeCloud } from './change-cloud';
import { FleetError } from './fleet-error';
import { storeFleetConstraints } from './store-fleet-constraints';

export interface LoadOptions {
  /** Stores the fleet's constraints of groups and instances, as its projects' managers would. */
  readonly storeConstraints: boolean;
  /** Replaces the fleet even while instances are asked about or moved: running moves are aborted. */
  readonly force?: boolean;
}

const disabledBeforehand = 'disabled before any maintenance (fleet file)';

/** Sends the rows as one JSON value for each table: thousands of instances load in one statement. */
const insertHosts = async (tx: Transaction, { hosts }: FileFleet): Promise<void> => {
  await tx.$executeRaw`
    INSERT INTO sim_host (name, type, is_compute, vcpus, memory_mb, amounts, labels, properties, maintain, maintenance_s,
                          disabled, disabled_reason)
    SELECT r.name, r.type, r."isCompute", r.vcpus, r."memoryMb", coalesce(r.amounts, '{}'), coalesce(r.labels, '{}'),
           coalesce(r.properties, '{}'), r.maintain, r."maintenanceSeconds", NOT r.enabled,
           CASE WHEN NOT r.enabled THEN ${disabledBeforehand} END
    FROM jsonb_to_recordset(${JSON.stringify(hosts)}::jsonb) AS r(
      name text, type text, "isCompute" boolean, vcpus int, "memoryMb" int, amounts jsonb, labels text[],
      properties jsonb, maintain boolean, "maintenanceSeconds" float8, enabled boolean)`;
};

const insertGroups = async (tx: Transaction, fleet: FileFleet): Promise<void> => {
  await tx.$executeRaw`
    INSERT INTO sim_group (group_id, name, anti_affinity, affinity, max_instances_per_host)
    SELECT r."groupId", r."groupName", r."antiAffinity", r.affinity, r."maxInstancesPerHost"
    FROM jsonb_to_recordset(${JSON.stringify(serverGroupsOf(fleet))}::jsonb) AS r(
      "groupId" text, "groupName" text, "antiAffinity" boolean, affinity boolean, "maxInstancesPerHost" int)`;
};

const insertInstances = async (tx: Transaction, { instances }: FileFleet): Promise<void> => {
  await tx.$executeRaw`
    INSERT INTO sim_instance (instance_id, instance_name, project_id, group_id, flavor, host, vcpus, memory_mb,
                              amounts, needs, move_s, fail_moves, acts_itself, refused_by)
    SELECT r."instanceId", r."instanceName", r."projectId", r."groupId", r.flavor, r.host, r.vcpus, r."memoryMb",
           coalesce(r.amounts, '{}'), coalesce(r.needs, '{}'), r."moveSeconds", r."failMoves", r."actsItself",
           coalesce(r."refusedBy", '{}')
    FROM jsonb_to_recordset(${JSON.stringify(instances)}::jsonb) AS r(
      "instanceId" text, "instanceName" text, "projectId" text, "groupId" text, flavor text, host text, vcpus int,
      "memoryMb" int, amounts jsonb, needs text[], "moveSeconds" float8, "failMoves" int,
      "actsItself" boolean, "refusedBy" text[])`;
};

const insertProjects = async (tx: Transaction, { projects = [] }: FileFleet): Promise<void> => {
  await tx.simProject.createMany({ data: projects.map(({ projectId, name }) => ({ projectId, name })) });
};

const refuseWhileInUse = async (tx: Transaction): Promise<void> => {
  const moves = await tx.simMove.count({ where: { status: 'running' } });
  const claims = await tx.claim.count({ where: { phase: { in: ['asked', 'moving'] } } });
  if (moves === 0 && claims === 0) return;
  throw new FleetError(
    `the fleet is in use: ${moves} moves run and ${claims} instances are being asked about or moved; ` +
      'wait until the sessions are over, or force it',
  );
};

const replaceFleet = async (tx: Transaction, fleet: FileFleet, storeConstraints: boolean): Promise<void> => {
  await tx.simHost.deleteMany();
  await tx.simGroup.deleteMany();
  await tx.simInstance.deleteMany();
  await tx.simProject.deleteMany();
  await insertProjects(tx, fleet);
  await insertHosts(tx, fleet);
  await insertGroups(tx, fleet);
  await insertInstances(tx, fleet);
  if (storeConstraints) await storeFleetConstraints(tx, fleet);
};

const abortAllMoves = async (tx: Transaction, now: Date): Promise<void> => {
  await tx.simMove.updateMany({
    where: { status: 'running' },
    data: { status: 'aborted', endedAt: now, failure: 'the fleet was replaced' },
  });
};

/** @throws FleetError while the fleet is in use, unless forced */
export const loadFleet = (db: Database, fleet: FileFleet, options: LoadOptions): Promise<void> =>
  inTransaction(db, async (tx) => {
    // Nothing is granted on a fleet that is being replaced, and nobody else stores its constraints.
    await takeLock(tx, 'decision');
    await takeLock(tx, 'constraints');
    const now = await takeCloud(tx);
    if (options.force !== true) await refuseWhileInUse(tx);
    await abortAllMoves(tx, now);
    await replaceFleet(tx, fleet, options.storeConstraints);
  });

/** - kept: the fleet was there already, as far as its hosts tell. - otherKept: a fleet with other hosts is there. */
export type FleetAtStart = 'loaded' | 'kept' | 'otherKept';

/** Loads the fleet, with its constraints, unless there is one. When several processes call it at once, one does. */
export const loadFleetIfNone = (db: Database, fleet: FileFleet): Promise<FleetAtStart> =>
  changeCloud(db, async (tx) => {
    const there = await tx.simHost.findMany({ select: { name: true } });
    if (there.length > 0) return isOfHosts(fleet, there) ? 'kept' : 'otherKept';
    await replaceFleet(tx, fleet, true);
    return 'loaded';
  });

const isOfHosts = ({ hosts }: FileFleet, there: readonly { readonly name: string }[]): boolean => {
  const names = new Set(there.map(({ name }) => name));
  return hosts.length === there.length && hosts.every(({ name }) => names.has(name));
};
