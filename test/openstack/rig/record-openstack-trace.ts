/** Makes the trace of a session on the rig's cloud: hosts and servers by Nova, moves by the claims and Nova's landings. */
import type { CloudDriver } from '../../../clouds/cloud-driver';
import type { Database } from '../../../prisma/database';
import { readMaintenances } from '../../traces/record-trace';
import type { Trace, TracedGroup, TracedInstance, TracedMove } from '../../traces/trace';

/** Begins with the cloud and the constraints as they are now. */
export const recordOpenStackTrace = async (db: Database, cloud: CloudDriver): Promise<() => Promise<Trace>> => {
  const hosts = await cloud.listHosts();
  const groups = await cloud.listGroups();
  const groupOf = new Map(groups.flatMap(({ groupId, instanceIds }) => instanceIds.map((id) => [id, groupId])));
  const instances = (await cloud.listInstances()).map(
    ({ instanceId, projectId, flavor, vcpus, memoryMb, host }): TracedInstance => {
      const groupKey = groupOf.get(instanceId) ?? `${projectId}/${flavor}`;
      return { id: instanceId, groupKey, vcpus, memoryMb, host };
    },
  );
  const apart = new Set(groups.filter(({ antiAffinity }) => antiAffinity).map(({ groupId }) => groupId));
  const tracedGroups = [...new Set(instances.map(({ groupKey }) => groupKey))].map((key): TracedGroup => {
    const group = { key, maxImpactedMembers: 1, recoveryTimeMs: 0 };
    return apart.has(key) ? { ...group, maxInstancesPerHost: 1 } : group;
  });
  return async () => ({
    hosts,
    instances,
    groups: tracedGroups,
    moves: await readMoves(db),
    maintenances: await readMaintenances(db),
  });
};

const readMoves = async (db: Database): Promise<TracedMove[]> => {
  const landings = await db.openstackMove.findMany({ where: { status: 'done' } });
  const landedOn = new Map(landings.map(({ claimId, landedOn: host }) => [claimId, host]));
  const claims = await db.claim.findMany({ where: { startedAt: { not: null } } });
  return claims.map(({ id, instanceId, source, target, startedAt, endedAt, outcome }) => ({
    instanceId,
    source,
    target: landedOn.get(id) ?? target,
    startedMs: startedAt!.getTime(),
    arrived: outcome === 'done',
    ...(endedAt && { endedMs: endedAt.getTime() }),
  }));
};
