/**
 * The simulated fleet at the time when a session began, as a fleet file that goes with the session's trace. Times are
 * those of the session: the simulated cloud's times are divided by its speed.
 */
import { createHash } from 'node:crypto';
import type {
  WireFleet,
  WireGroup,
  WireHost,
  WireInstance,
  WireServerGroup,
} from '../../clouds/simulated/fleet-schema';
import { createSimulatedCloud } from '../../clouds/simulated/simulated-cloud';
import type { Database } from '../../prisma/database';
import type { SessionCourse } from '../../prisma/session/session-trace';
import type { CloudGroup } from '../../rules/cloud/cloud-facts';
import { keyBeside, type WorkedOutLimits, workOutLimits } from '../../rules/constraints/work-out-limits';
import { impactShareIn } from '../../rules/decisions/both-workflows/built-in-workflow';
import type { Group } from '../../rules/decisions/fleet/fleet';
import { withDefaultImpact } from '../../rules/decisions/limits/default-impact';
import type { HostLabels } from '../../rules/selectors/labels';
import { simulatedActions } from '../../rules/simulation/simulated-actions';

export interface FleetPace {
  /** Simulated seconds that pass in a second. */
  readonly speed: number;
  /** The share of a group without constraints that may be impacted at once. */
  readonly impactShare: number;
  /** The seconds that a project has for a reply when no constraints are stored. */
  readonly replySeconds: number;
}

type SimInstance = Awaited<ReturnType<Database['simInstance']['findMany']>>[number];
type Constraint = Awaited<ReturnType<Database['instanceConstraint']['findMany']>>[number];

/** The recorded facts of the cloud, and the constraints that projects have stored. */
export interface FleetRecords {
  readonly hosts: Awaited<ReturnType<Database['simHost']['findMany']>>;
  readonly instances: readonly SimInstance[];
  readonly serverGroups: readonly CloudGroup[];
  readonly constraints: readonly Constraint[];
  readonly storedGroups: Awaited<ReturnType<Database['groupConstraint']['findMany']>>;
}

export const fleetOf = async (db: Database, course: SessionCourse, pace: FleetPace): Promise<WireFleet> => {
  const records = {
    hosts: await db.simHost.findMany({ orderBy: { name: 'asc' } }),
    instances: await db.simInstance.findMany({ orderBy: { instanceKey: 'asc' } }),
    serverGroups: await createSimulatedCloud({ db, speed: pace.speed }).listGroups(),
    constraints: await db.instanceConstraint.findMany(),
    storedGroups: await db.groupConstraint.findMany(),
  };
  return fleetFrom(records, course, pace);
};

export const fleetFrom = (records: FleetRecords, course: SessionCourse, pace: FleetPace): WireFleet => {
  const { instances, serverGroups, constraints, storedGroups } = records;
  const limits = workOutLimits({ instances, memberships: constraints, storedGroups, serverGroups });
  const constraintsOf = new Map(constraints.map((one) => [one.instanceKey, one]));
  const groupIds = new Map(limits.groups.map((group) => [group.key, groupIdOf(group)]));
  return {
    name: 'session',
    hosts: hostsOf(records, course, pace),
    groups: groupsOf(records, limits, impactShareIn(course, pace.impactShare)),
    ...serverGroupsOf(records, limits),
    instances: instances.map((instance) => {
      const { instanceId } = instance;
      const groupId = groupIds.get(limits.limitedOf.get(instanceId)?.groupKey ?? '') ?? '';
      return instanceOf({ instance, groupId, course, pace, stored: constraintsOf.get(instance.instanceKey) });
    }),
  };
};

const hostsOf = ({ hosts }: FleetRecords, course: SessionCourse, { speed }: FleetPace): WireHost[] => {
  const own = new Set(course.hosts.map(({ hostname }) => hostname));
  return hosts.map(({ name, type, isCompute, vcpus, memoryMb, amounts, labels, properties, maintenanceS }) => ({
    name,
    type: type === 'controller' ? 'controller' : 'compute',
    is_compute: isCompute,
    vcpus,
    memory_mb: memoryMb,
    maintain: own.has(name),
    maintenance_s: maintenanceS / speed,
    ...amountsIn(amounts),
    ...(labels.length > 0 && { labels }),
    ...propertiesIn(properties),
  }));
};

/** Further resources than vcpus and memory; nothing where there are none. */
const amountsIn = (amounts: unknown): Pick<WireHost, 'amounts'> =>
  Object.keys(amounts as object).length === 0 ? {} : { amounts: amounts as Record<string, number> };

/** Nothing where the host has none. */
const propertiesIn = (properties: unknown): Pick<WireHost, 'properties'> =>
  Object.keys(properties as object).length === 0 ? {} : { properties: properties as HostLabels };

/** The constraints that sessions use, including defaults when none are stored. */
const groupsOf = (
  { instances, storedGroups }: FleetRecords,
  { groups, limitedOf }: WorkedOutLimits,
  impactShare: number,
): WireGroup[] => {
  const members = instances.map(({ instanceId, projectId }) => ({
    projectId,
    groupKey: limitedOf.get(instanceId)?.groupKey ?? '',
  }));
  const own = groups.filter(({ keptBy }) => keptBy.kind === 'service');
  const projectOf = new Map(members.map(({ projectId, groupKey }) => [groupKey, projectId]));
  const storedOf = new Map(storedGroups.map((stored) => [stored.groupKey, stored]));
  return withDefaultImpact({ groups: own, instances: members }, impactShare).groups.map((group) => ({
    group_id: groupIdOf(group),
    project_id: projectOf.get(group.key) ?? '',
    group_name: group.name,
    anti_affinity_group: group.maxInstancesPerHost !== undefined,
    // The number has no meaning without anti-affinity, but it must be a possible one.
    max_instances_per_host: group.maxInstancesPerHost ?? 1,
    max_impacted_members: group.maxImpactedMembers,
    recovery_time: group.recoveryTimeSeconds,
    resource_mitigation: storedOf.get(group.key)?.resourceMitigation ?? false,
  }));
};

/** The rules that the cloud enforced beside the groups of constraints. */
const serverGroupsOf = (
  { serverGroups }: FleetRecords,
  { groups }: WorkedOutLimits,
): { server_groups?: WireServerGroup[] } => {
  const keys = new Set(groups.map(({ key }) => key));
  const enforced = serverGroups.filter(({ groupId }) => keys.has(keyBeside(groupId)));
  if (enforced.length === 0) return {};
  return {
    server_groups: enforced.map(({ groupId, groupName = groupId, projectId, maxInstancesPerHost, instanceIds }) => ({
      server_group_id: groupId,
      server_group_name: groupName,
      project_id: projectId,
      policy: 'anti-affinity',
      max_instances_per_host: maxInstancesPerHost,
      instance_ids: [...instanceIds],
    })),
  };
};

/** A default group always has the same UUID. */
const groupIdOf = ({ id, key }: Group): string => {
  if (id !== undefined) return id;
  const digits = createHash('sha256').update(key).digest('hex');
  return [digits.slice(0, 8), digits.slice(8, 12), `5${digits.slice(13, 16)}`, `8${digits.slice(17, 20)}`]
    .concat(digits.slice(20, 32))
    .join('-');
};

interface PlacedInstance {
  readonly instance: SimInstance;
  readonly groupId: string;
  readonly course: SessionCourse;
  readonly pace: FleetPace;
  /** undefined: its project stored none. */
  readonly stored: Constraint | undefined;
}

const instanceOf = ({ instance, groupId, course, pace, stored }: PlacedInstance): WireInstance => {
  const { instanceId, projectId } = instance;
  const constraints = stored ?? unconstrained(pace);
  const first = course.moves.find((move) => move.instanceId === instanceId);
  return {
    instance_id: instanceId,
    instance_name: instance.instanceName,
    project_id: projectId,
    group_id: groupId,
    host: first?.source ?? instance.host,
    flavor: instance.flavor,
    vcpus: instance.vcpus,
    memory_mb: instance.memoryMb,
    migration_type: migrationTypeOf(constraints.migrationType),
    lead_time: constraints.leadTime,
    max_interruption_time: constraints.maxInterruptionTime,
    resource_mitigation: constraints.resourceMitigation,
    ready_s: readySeconds(course, instanceId, constraints.leadTime),
    move_s: instance.moveS / pace.speed,
    ...amountsIn(instance.amounts),
    ...(instance.needs.length > 0 && { needs: instance.needs }),
  };
};

type TracedConstraints = Pick<Constraint, 'migrationType' | 'leadTime' | 'maxInterruptionTime' | 'resourceMitigation'>;

/** The defaults when its project stored nothing. */
const unconstrained = ({ replySeconds }: FleetPace): TracedConstraints => ({
  migrationType: simulatedActions.default,
  leadTime: replySeconds,
  maxInterruptionTime: 0,
  resourceMitigation: false,
});

const migrationTypeOf = (text: string): NonNullable<WireInstance['migration_type']> =>
  simulatedActions.migrationTypes.find((type) => type === text) ?? simulatedActions.default;

/**
 * The time in which its manager answered; null: it never did. An answer may come in the last fraction of a second of
 * its window, which is longer than the lead time by that fraction. The lead time may also have been shortened since.
 */
const readySeconds = ({ questions }: SessionCourse, instanceId: string, leadTime: number): number | null => {
  if (leadTime === 0) return 0;
  const answered = questions.flatMap(({ instanceIds, askedAt, answer, answeredAt }) =>
    answer === 'ACK' && answeredAt !== null && instanceIds.includes(instanceId)
      ? [Math.max(0, answeredAt.getTime() - askedAt.getTime()) / 1000]
      : [],
  );
  return answered.length === 0 ? null : Math.min(leadTime, ...answered);
};
