/** A fleet file as planning sees it at the start, and what only the simulation knows: how long things will take. */
import type { Fleet as FileFleet, FleetGroup, FleetInstance } from '../clouds/simulated/fleet';
import type { Action, Fleet, Host, Instance } from '../planning/fleet/fleet';
import { type Grouping, type ServerGroup, groupInstances } from '../planning/fleet/group-of';

export const simulatedSessionId = '00000000-0000-4000-8000-000000000000';

/** What lies in the future, by name or ID. Milliseconds. */
export interface Future {
  readonly maintenanceMs: ReadonlyMap<string, number>;
  readonly moveMs: ReadonlyMap<string, number>;
  /** null: its manager never replies. */
  readonly readyMs: ReadonlyMap<string, number | null>;
}

const toMs = (seconds: number): number => Math.ceil(Number((seconds * 1000).toFixed(3)));

const hostOf = (host: FileFleet['hosts'][number]): Host => ({
  name: host.name,
  type: host.type,
  isCompute: host.isCompute,
  vcpus: host.vcpus,
  memoryMb: host.memoryMb,
  enabled: host.enabled,
  expectedMaintenanceSeconds: host.maintenanceSeconds,
  ...(host.maintain && {
    work: {
      sessionId: simulatedSessionId,
      phase: 'waiting',
      disabled: false,
      disabledBefore: !host.enabled,
      announced: false,
      releases: 0,
    },
  }),
});

const actions: ReadonlySet<string> = new Set<Action>(['LIVE_MIGRATE', 'MIGRATE', 'OWN_ACTION', 'EVICTION']);
const isAction = (text: string): text is Action => actions.has(text);

const instanceOf = (instance: FleetInstance, groupKey: string): Instance => {
  const { constraints } = instance;
  return {
    id: instance.instanceId,
    name: instance.instanceName,
    projectId: instance.projectId,
    host: instance.host,
    vcpus: instance.vcpus,
    memoryMb: instance.memoryMb,
    groupKey,
    ...(constraints && isAction(constraints.migrationType) && { migrationType: constraints.migrationType }),
    ...(constraints && { leadTimeSeconds: constraints.leadTime }),
  };
};

/** All hosts with `maintain` wait in one session; what the file says of constraints is stored. */
export const asPlanned = (fleet: FileFleet): Fleet => {
  const { groups, keyOf } = groupingOf(fleet);
  const instances = fleet.instances.map((instance) => instanceOf(instance, keyOf.get(instance.instanceId) ?? ''));
  return { hosts: fleet.hosts.map(hostOf), groups, instances, claims: [] };
};

const groupingOf = ({ groups, instances }: FileFleet): Grouping =>
  groupInstances({
    instances,
    memberships: instances.flatMap(({ instanceId, constraints }) =>
      constraints ? [{ instanceId, groupId: constraints.groupId }] : [],
    ),
    storedGroups: groups,
    serverGroups: serverGroupsOf(groups, instances),
  });

/** What the cloud says of groups counts for members whose constraints are not stored. */
const serverGroupsOf = (groups: readonly FleetGroup[], instances: readonly FleetInstance[]): readonly ServerGroup[] => {
  const members = new Map<string, string[]>(groups.map(({ groupId }) => [groupId, []]));
  for (const { groupId = '', instanceId } of instances) members.get(groupId)?.push(instanceId);
  return groups.map(({ groupId, antiAffinityGroup: antiAffinity, maxInstancesPerHost }) => {
    return { groupId, antiAffinity, maxInstancesPerHost, instanceIds: members.get(groupId) ?? [] };
  });
};

export const futureOf = ({ hosts, instances }: FileFleet): Future => ({
  maintenanceMs: new Map(hosts.map(({ name, maintenanceSeconds }) => [name, toMs(maintenanceSeconds)])),
  moveMs: new Map(instances.map(({ instanceId, moveSeconds }) => [instanceId, toMs(moveSeconds)])),
  readyMs: new Map(
    instances.map(({ instanceId, readySeconds = null }) => [
      instanceId,
      readySeconds === null ? null : toMs(readySeconds),
    ]),
  ),
});
