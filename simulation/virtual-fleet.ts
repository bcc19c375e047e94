/** A fleet file as planning sees it at the start, and what only the simulation knows: how long things will take. */
import type { Fleet as FileFleet, FleetInstance } from '../clouds/simulated/fleet';
import type { Action, Fleet, Group, Host, Instance } from '../planning/fleet/fleet';

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

const groupOf = (group: FileFleet['groups'][number]): Group => ({
  key: group.groupId,
  name: group.groupName,
  maxImpactedMembers: group.maxImpactedMembers,
  recoveryTimeSeconds: group.recoveryTime,
  ...(group.antiAffinityGroup && { maxInstancesPerHost: group.maxInstancesPerHost }),
});

const actions: ReadonlySet<string> = new Set<Action>(['LIVE_MIGRATE', 'MIGRATE', 'OWN_ACTION', 'EVICTION']);
const isAction = (text: string): text is Action => actions.has(text);

const instanceOf = (instance: FleetInstance): Instance => {
  const { constraints } = instance;
  return {
    id: instance.instanceId,
    name: instance.instanceName,
    projectId: instance.projectId,
    host: instance.host,
    vcpus: instance.vcpus,
    memoryMb: instance.memoryMb,
    groupKey: constraints?.groupId ?? `${instance.projectId}/${instance.flavor}`,
    resourceMitigation: constraints?.resourceMitigation ?? false,
    ...(constraints && isAction(constraints.migrationType) && { migrationType: constraints.migrationType }),
    ...(constraints && { leadTimeSeconds: constraints.leadTime }),
  };
};

/** All hosts with `maintain` wait in one session. */
export const asPlanned = ({ hosts, groups, instances }: FileFleet): Fleet => {
  const stored = groups.map(groupOf);
  const planned = instances.map(instanceOf);
  const keys = new Set(stored.map(({ key }) => key));
  const others = new Set(planned.map(({ groupKey }) => groupKey).filter((key) => !keys.has(key)));
  const unlimited = [...others].map((key): Group => ({
    key,
    name: key,
    maxImpactedMembers: 1,
    recoveryTimeSeconds: 0,
    withoutConstraints: true,
  }));
  return { hosts: hosts.map(hostOf), groups: [...stored, ...unlimited], instances: planned, claims: [] };
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
