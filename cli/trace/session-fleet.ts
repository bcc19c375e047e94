/**
 * The simulated fleet as it was when a session began, as a fleet file that goes with the session's trace. Times are
 * those of the session: what the simulated cloud takes is divided by its speed.
 */
import { createHash } from 'node:crypto';
import type { WireFleet, WireGroup, WireHost, WireInstance } from '../../clouds/simulated/fleet-schema';
import type { Database } from '../../prisma/database';
import type { SessionCourse } from '../../prisma/session-trace';

export interface FleetPace {
  /** Simulated seconds that pass in a second. */
  readonly speed: number;
  /** Share of a group without constraints that may be impacted at once. */
  readonly impactShare: number;
  /** Seconds that a project has for a reply where no constraints are stored. */
  readonly replySeconds: number;
}

type SimInstance = Awaited<ReturnType<Database['simInstance']['findMany']>>[number];
type Constraint = Awaited<ReturnType<Database['instanceConstraint']['findMany']>>[number];

export const fleetOf = async (db: Database, course: SessionCourse, pace: FleetPace): Promise<WireFleet> => {
  const instances = await db.simInstance.findMany({ orderBy: { instanceId: 'asc' } });
  const constraints = new Map((await db.instanceConstraint.findMany()).map((one) => [one.instanceId, one]));
  const stored = await db.groupConstraint.findMany({ orderBy: { groupId: 'asc' } });
  const isUnconstrained = ({ instanceId }: SimInstance) => !constraints.has(instanceId);
  return {
    name: 'session',
    hosts: await hostsOf(db, course, pace),
    groups: [...stored.map(groupOf), ...flavorGroups(instances.filter(isUnconstrained), pace)],
    instances: instances.map((instance) => instanceOf({ instance, course, pace, constraints })),
  };
};

const hostsOf = async (db: Database, course: SessionCourse, { speed }: FleetPace): Promise<WireHost[]> => {
  const own = new Set(course.hosts.map(({ hostname }) => hostname));
  const hosts = await db.simHost.findMany({ orderBy: { name: 'asc' } });
  return hosts.map(({ name, type, isCompute, vcpus, memoryMb, maintenanceS }) => ({
    name,
    type: type === 'controller' ? 'controller' : 'compute',
    is_compute: isCompute,
    vcpus,
    memory_mb: memoryMb,
    maintain: own.has(name),
    maintenance_s: maintenanceS / speed,
  }));
};

const groupOf = (group: Awaited<ReturnType<Database['groupConstraint']['findMany']>>[number]): WireGroup => ({
  group_id: group.groupId,
  project_id: group.projectId,
  group_name: group.groupName,
  anti_affinity_group: group.antiAffinityGroup,
  max_instances_per_host: group.maxInstancesPerHost,
  max_impacted_members: group.maxImpactedMembers,
  recovery_time: group.recoveryTime,
  resource_mitigation: group.resourceMitigation,
});

/** Without constraints the instances of a project with one flavor are a group. */
const flavorGroups = (instances: readonly SimInstance[], { impactShare }: FleetPace): WireGroup[] => {
  const members = new Map<string, SimInstance[]>();
  for (const instance of instances) {
    const key = flavorGroupId(instance);
    members.set(key, [...(members.get(key) ?? []), instance]);
  }
  return [...members].flatMap(([group_id, [first, ...others]]) =>
    first === undefined
      ? []
      : [
          {
            group_id,
            project_id: first.projectId,
            group_name: `${first.projectId}/${first.flavor}`,
            anti_affinity_group: false,
            max_instances_per_host: 0,
            max_impacted_members: Math.max(1, Math.floor(impactShare * (1 + others.length))),
            recovery_time: 0,
            resource_mitigation: false,
          },
        ],
  );
};

/** Always the same UUID for a project's flavor. */
const flavorGroupId = ({ projectId, flavor }: SimInstance): string => {
  const digits = createHash('sha256').update(`${projectId}/${flavor}`).digest('hex');
  return [digits.slice(0, 8), digits.slice(8, 12), `5${digits.slice(13, 16)}`, `8${digits.slice(17, 20)}`]
    .concat(digits.slice(20, 32))
    .join('-');
};

interface PlacedInstance {
  readonly instance: SimInstance;
  readonly course: SessionCourse;
  readonly pace: FleetPace;
  readonly constraints: ReadonlyMap<string, Constraint>;
}

const instanceOf = ({ instance, course, pace, constraints }: PlacedInstance): WireInstance => {
  const { instanceId, projectId } = instance;
  const constraint = constraints.get(instanceId) ?? unconstrained(instance, pace);
  const first = course.moves.find((move) => move.instanceId === instanceId);
  return {
    instance_id: instanceId,
    instance_name: instance.instanceName,
    project_id: projectId,
    group_id: constraint.groupId,
    host: first?.source ?? instance.host,
    flavor: instance.flavor,
    vcpus: instance.vcpus,
    memory_mb: instance.memoryMb,
    migration_type: migrationTypeOf(constraint.migrationType),
    lead_time: constraint.leadTime,
    max_interruption_time: constraint.maxInterruptionTime,
    resource_mitigation: constraint.resourceMitigation,
    ready_s: constraint.leadTime === 0 ? 0 : readySeconds(course, instanceId),
    move_s: instance.moveS / pace.speed,
  };
};

type Constraints = Omit<Constraint, 'instanceId' | 'projectId' | 'instanceName' | 'createdAt' | 'updatedAt'>;

/** What holds where its project stored nothing. */
const unconstrained = (instance: SimInstance, { replySeconds }: FleetPace): Constraints => ({
  groupId: flavorGroupId(instance),
  migrationType: 'LIVE_MIGRATE',
  leadTime: replySeconds,
  maxInterruptionTime: 0,
  resourceMitigation: false,
});

const migrationTypeOf = (text: string): NonNullable<WireInstance['migration_type']> => {
  if (text === 'MIGRATE' || text === 'OWN_ACTION' || text === 'EVICTION') return text;
  return 'LIVE_MIGRATE';
};

/** How soon its manager answered; null: it never did. */
const readySeconds = ({ questions }: SessionCourse, instanceId: string): number | null => {
  const answered = questions.flatMap(({ instanceIds, askedAt, answer, answeredAt }) =>
    answer === 'ACK' && answeredAt !== null && instanceIds.includes(instanceId)
      ? [Math.max(0, answeredAt.getTime() - askedAt.getTime()) / 1000]
      : [],
  );
  return answered.length === 0 ? null : Math.min(...answered);
};
