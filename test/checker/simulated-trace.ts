/** The trace of a fleet file that was maintained in virtual time: all of its hosts with `maintain`, by one session. */
import type { FileFleet, FleetGroup, FleetHost, FleetInstance } from '../../rules/simulation/file-fleet';
import type { Trace, TracedGroup, TracedHost, TracedInstance, TraceEvent } from './trace';

export interface SimulatedRun {
  readonly events: readonly TraceEvent[];
  /** The session ended well: everything has to be complete. */
  readonly isDone: boolean;
  /** The share of groups that nobody stored; left out: one member at a time. */
  readonly impactShare?: number;
}

export const simulatedTrace = (fleet: FileFleet, { events, isDone, impactShare }: SimulatedRun): Trace => ({
  hosts: fleet.hosts.map(hostOf),
  groups: [...fleet.groups.map(groupOf), ...cloudGroups(fleet), ...flavorGroups(fleet, impactShare)],
  instances: fleet.instances.map((instance) => instanceOf(fleet, instance)),
  sessions: [{ hosts: fleet.hosts.filter(({ maintain }) => maintain).map(({ name }) => name), isDone }],
  events,
});

const hostOf = ({ maintenanceSeconds, enabled, amounts, labels, ...host }: FleetHost): TracedHost => ({
  name: host.name,
  type: host.type,
  isCompute: host.isCompute,
  vcpus: host.vcpus,
  memoryMb: host.memoryMb,
  ...(amounts && { amounts }),
  ...(labels && { labels }),
  disabled: !enabled,
  maintenanceSeconds,
});

const groupOf = (group: FleetGroup): TracedGroup => ({
  id: group.groupId,
  maxImpactedMembers: group.maxImpactedMembers,
  recoverySeconds: group.recoveryTime,
  ...(group.antiAffinityGroup && { maxPerHost: group.maxInstancesPerHost }),
});

/** The cloud separates the members of its server groups, and else the members that constraints separate. */
const cloudGroups = ({ groups, serverGroups = [] }: FileFleet): TracedGroup[] => {
  const isTold = (id: string): boolean => serverGroups.some(({ groupId }) => groupId === id);
  const untold = groups.filter(({ groupId, antiAffinityGroup }) => antiAffinityGroup && !isTold(groupId));
  return [...serverGroups.filter(({ antiAffinity }) => antiAffinity), ...untold].map((group) => ({
    id: cloudIdOf(group.groupId),
    maxImpactedMembers: Infinity,
    recoverySeconds: 0,
    maxPerHost: group.maxInstancesPerHost,
  }));
};

const cloudIdOf = (groupId: string): string => `${groupId} of the cloud`;

/** An instance without stored constraints counts in its group where constraints of that are stored. */
const groupIdOf = ({ groups }: FileFleet, { constraints, groupId, projectId, flavor }: FleetInstance): string => {
  const isStored = groups.some((group) => group.groupId === groupId);
  return constraints?.groupId ?? (isStored && groupId !== undefined ? groupId : `${projectId}/${flavor}`);
};

const flavorGroups = (fleet: FileFleet, impactShare: number | undefined): TracedGroup[] => {
  const described = new Set(fleet.groups.map(({ groupId }) => groupId));
  const unconstrained = fleet.instances.filter(({ constraints }) => !constraints);
  return [...new Set(unconstrained.map((instance) => groupIdOf(fleet, instance)))]
    .filter((id) => !described.has(id))
    .map((id) => ({
      id,
      maxImpactedMembers: 1,
      recoverySeconds: 0,
      ...(impactShare !== undefined && { impactShare }),
    }));
};

const instanceOf = (fleet: FileFleet, instance: FleetInstance): TracedInstance => {
  const { instanceId, host, vcpus, memoryMb, moveSeconds, readySeconds = null, constraints } = instance;
  const { amounts, needs } = instance;
  const cloudGroupIds = instance.groupId === undefined ? [] : [cloudIdOf(instance.groupId)];
  const size = { id: instanceId, groupId: groupIdOf(fleet, instance), cloudGroupIds, host, vcpus, memoryMb };
  return {
    ...size,
    ...(amounts && { amounts }),
    ...(needs && { needs }),
    moveSeconds,
    readySeconds,
    ...(constraints && { action: constraints.migrationType, leadSeconds: constraints.leadTime }),
  };
};
