import { fleetFrom, type FleetRecords } from '../../../cli/trace/session-fleet';
import { parseFleet } from '../../../clouds/simulated/fleet-file';
import type { CourseQuestion, SessionCourse } from '../../../prisma/session/session-trace';
import { keyOf } from '../../../rules/cloud/id';
import { uuidNumber } from '../../builders/a-fleet-file';

const [projectId, groupId] = [uuidNumber(900), uuidNumber(500)];
const pace = { speed: 10, impactShare: 0.25, replySeconds: 20 };

type Instance = FleetRecords['instances'][number];
type Stored = FleetRecords['storedGroups'][number];
type Constraint = FleetRecords['constraints'][number];

const noKeys = {
  projectKey: '',
  groupKey: null,
  state: 'ACTIVE',
  memoryMb: 0,
  failMoves: 0,
  actsItself: true,
  refusedBy: [],
  amounts: {},
  needs: [],
  hiddenFrom: [],
  wayBackOn: null,
};

const anInstance = (number: number): Instance =>
  ({
    ...noKeys,
    instanceId: uuidNumber(number),
    instanceKey: keyOf(uuidNumber(number)),
    instanceName: `vm-${number}`,
    projectId,
    groupId: null,
    flavor: 'm1',
    host: 'a',
    vcpus: 1,
    memoryMb: 1024,
    moveS: 20,
  }) satisfies Instance;

const constraintsOf = ({ instanceId, instanceKey, instanceName }: Instance): Constraint =>
  ({
    ...{ instanceId, instanceKey, instanceName, projectId, groupId, maxInterruptionTime: 60, migrationType: 'MIGRATE' },
    ...{ resourceMitigation: false, leadTime: 10 },
  }) as Constraint;

const aStoredGroup = (fields: Partial<Stored> = {}): Stored =>
  ({
    ...{
      groupId,
      groupKey: keyOf(groupId),
      projectId,
      groupName: 'web',
      antiAffinityGroup: false,
      maxInstancesPerHost: 0,
    },
    ...{ maxImpactedMembers: 2, recoveryTime: 30, resourceMitigation: true, ...fields },
  }) as Stored;

const host = {
  name: 'a',
  type: 'compute',
  isCompute: true,
  amounts: {},
  labels: [] as string[],
  properties: {},
  vcpus: 8,
  memoryMb: 8192,
  maintenanceS: 600,
};
const at = (seconds: number): Date => new Date(Date.UTC(2026, 0, 1, 12) + seconds * 1000);

const written = (records: Partial<FleetRecords>, given: Partial<SessionCourse> = {}) => {
  const nothingYet = { workflow: 'vnf', rolling: null, moves: [], questions: [], notices: [] };
  const course: SessionCourse = { ...nothingYet, hosts: [{ hostname: 'a', drainStartedAt: null }], ...given };
  const nothing = { instances: [], serverGroups: [], constraints: [], storedGroups: [] };
  const hosts = [host as FleetRecords['hosts'][number]];
  const fleet = fleetFrom({ hosts, ...nothing, ...records }, course, pace);
  // It can be read again.
  expect(parseFleet(fleet).instances).toHaveLength(fleet.instances.length);
  const { groups = [], instances } = fleet;
  return { groups, instances };
};

const [one, other] = [anInstance(1), anInstance(2)];

it('tells what projects stored, and the times of the session', () => {
  const records = { instances: [one], constraints: [constraintsOf(one)], storedGroups: [aStoredGroup()] };
  const { groups, instances } = written(records);
  // Without anti-affinity the number of instances on a host may be any, 0 included; the form has no 0.
  expect(groups).toEqual([
    {
      ...{ group_id: groupId, project_id: projectId, group_name: 'web', anti_affinity_group: false },
      ...{ max_instances_per_host: 1, max_impacted_members: 2, recovery_time: 30, resource_mitigation: true },
    },
  ]);
  expect(instances).toMatchObject([{ group_id: groupId, migration_type: 'MIGRATE', lead_time: 10, move_s: 2 }]);
});

it('tells the limit of a group that keeps its members apart', () => {
  const storedGroups = [aStoredGroup({ antiAffinityGroup: true, maxInstancesPerHost: 2 })];
  const { groups } = written({ instances: [one], constraints: [constraintsOf(one)], storedGroups });
  expect(groups).toMatchObject([{ anti_affinity_group: true, max_instances_per_host: 2 }]);
});

it('has instances without constraints in a group by their flavor, of which vnf impacts the default share', () => {
  const records = { instances: Array.from({ length: 8 }, (_, number) => anInstance(number)) };
  const { groups, instances } = written(records);
  expect(groups).toMatchObject([{ max_impacted_members: 2, max_instances_per_host: 1 }]);
  expect(new Set(instances.map(({ group_id }) => group_id))).toEqual(new Set(groups.map(({ group_id }) => group_id)));
  expect(instances[0]).toMatchObject({ lead_time: 20, ready_s: null });
  expect(written(records, { workflow: 'default' }).groups).toMatchObject([{ max_impacted_members: 1 }]);
});

it('has a group that constraints name and nobody stored: one member at a time', () => {
  const { groups, instances } = written({ instances: [one], constraints: [constraintsOf(one)] });
  expect(groups).toMatchObject([{ group_id: groupId, max_impacted_members: 1 }]);
  expect(instances).toMatchObject([{ group_id: groupId }]);
});

it("has a member without constraints in the cloud's own group, where that keeps its members apart", () => {
  const instanceIds = [one.instanceId, other.instanceId];
  const serverGroups = [{ groupId, projectId: one.projectId, antiAffinity: true, maxInstancesPerHost: 1, instanceIds }];
  const { groups, instances } = written({ instances: [one, other], constraints: [constraintsOf(one)], serverGroups });
  expect(groups).toMatchObject([{ group_id: groupId, anti_affinity_group: true, max_instances_per_host: 1 }]);
  expect(instances.map(({ group_id }) => group_id)).toEqual([groupId, groupId]);
});

it.each<{ situation: string; answeredAt: number | null; ready: number | null }>([
  { situation: 'answered in time', answeredAt: 4, ready: 4 },
  { situation: 'answered in the last fraction of a second of its window', answeredAt: 10.7, ready: 10 },
  { situation: 'never answered', answeredAt: null, ready: null },
])('has a manager that $situation', ({ answeredAt, ready }) => {
  const question = { instanceIds: [one.instanceId], askedAt: at(0) };
  const answer = answeredAt === null ? { answer: null, answeredAt } : { answer: 'ACK', answeredAt: at(answeredAt) };
  const records = { instances: [one], constraints: [constraintsOf(one)], storedGroups: [aStoredGroup()] };
  const questions: CourseQuestion[] = [{ ...question, ...answer }];
  expect(written(records, { questions }).instances).toMatchObject([{ ready_s: ready }]);
});
