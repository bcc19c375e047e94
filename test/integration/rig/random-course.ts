/**
 * Random sessions for two interpreters: a random fleet, and whoever does not answer, refuses, fails or acts in it.
 * Whatever takes time takes as long as sessions expect, because sessions learn what plans only suppose.
 */
import { parseFleet } from '../../../clouds/simulated/fleet-file';
import type { WireHost, WireInstance } from '../../../clouds/simulated/fleet-schema';
import type { CloudLimits } from '../../../rules/cloud/cloud-facts';
import type { Spread } from '../../../rules/cloud/spread';
import type { HoursInTerms } from '../../../rules/cloud/terms';
import { usualTimes } from '../../../rules/decisions/fleet/usual-times';
import { weekdays } from '../../../rules/maintenance-windows/maintenance-window';
import type { FileFleet, FleetGroup, FleetServerGroup } from '../../../rules/simulation/file-fleet';
import { aRandomFleetFile } from '../../builders/a-random-fleet-file';
import { randomFrom } from '../../builders/random';
import type { PlayedCourse } from './played-course';

/** The session, with shares of its hosts and instances. */
export interface CourseShape extends Omit<
  PlayedCourse,
  'fleet' | 'startMs' | 'isRefusedAtFirst' | 'isBroken' | 'notBeforeMs' | 'hoursOf'
> {
  /** The managers of these instances never answer. */
  readonly silent?: number;
  /** The projects of these instances refuse when they are asked for the first time. */
  readonly refusing?: number;
  /** The projects of these instances put them off before the work on hosts begins, by up to two hours. */
  readonly putOff?: number;
  /** These projects let their instances be impacted twice a day. */
  readonly inHours?: number;
  /** The first move of these instances fails. */
  readonly failing?: number;
  /** The projects of these instances act themselves; those of half of them only say so. */
  readonly acting?: number;
  /** The plug-in of these hosts fails. */
  readonly broken?: number;
}

export const aRandomCourse = (
  seed: number,
  { silent = 0, refusing, failing, acting = 0, broken, putOff = 0, inHours = 0, ...session }: CourseShape,
): PlayedCourse => {
  const isPods = session.workflow === 'k8s';
  const shape = { computes: 4, controllers: 1, groups: 3, used: 0.4, silent };
  const file = aRandomFleetFile(shape, randomFrom(seed));
  const asGiven = (instance: WireInstance): WireInstance => ({
    ...inTime(instance),
    ...(isAmong(failing)(instance.instance_id) && { fail_moves: 1 }),
    ...(isAmong(acting)(instance.instance_id) && byProject(isAmong(acting / 2)(instance.instance_id))),
    ...(isPods && { migration_type: 'EVICTION' as const }),
  });
  const fleet = parseFleet({ ...file, hosts: file.hosts.map(hostInTime), instances: file.instances.map(asGiven) });
  const startMs = Date.parse('2030-01-01T00:00:00Z');
  return {
    ...{ fleet: isPods ? withPodGroups(fleet) : fleet, startMs, ...session },
    ...(putOff > 0 && { notBeforeMs: notBeforeIn(fleet, startMs, { putOff, seed }) }),
    ...(inHours > 0 && { hoursOf: hoursIn(fleet, { inHours, seed }) }),
    ...{ isRefusedAtFirst: isAmong(refusing), isBroken: isAmong(broken) },
    ...(isPods && { spreadsOf: spreadsIn(fleet) }),
  };
};

/** True for that share of whatever ends in a number. */
const isAmong =
  (share = 0) =>
  (name: string): boolean =>
    (Number(/\d{1,2}$/.exec(name)) * 7) % 10 < 10 * share;

const notBeforeIn = (
  { instances }: FileFleet,
  startMs: number,
  { putOff, seed }: { readonly putOff: number; readonly seed: number },
): ReadonlyMap<string, number> => {
  const random = randomFrom(seed);
  return new Map(
    instances.flatMap(({ instanceId }) =>
      random() < putOff ? [[instanceId, startMs + Math.ceil(random() * 120) * 60_000] as const] : [],
    ),
  );
};

const hoursIn = (
  { instances }: FileFleet,
  { inHours, seed }: { readonly inHours: number; readonly seed: number },
): ReadonlyMap<string, readonly HoursInTerms[]> => {
  const random = randomFrom(seed);
  const clock = (minutes: number): string => new Date(minutes * 60_000).toISOString().slice(11, 16);
  const someHours = (): readonly HoursInTerms[] => {
    const from = Math.floor(random() * 240);
    const to = from + 5 + Math.floor(random() * 60);
    return [from, from + 600].map((at) => {
      return { days: weekdays, from: clock(at), to: clock(at + to - from), time_zone: 'UTC' };
    });
  };
  const projects = [...new Set(instances.map(({ projectId }) => projectId))].sort();
  return new Map(projects.flatMap((id) => (random() < inHours ? [[id, someHours()] as const] : [])));
};

const hostInTime = (host: WireHost): WireHost => ({ ...host, maintenance_s: usualTimes.maintenanceSeconds });

/** The simulated cloud of virtual machines evicts nothing. */
const inTime = (instance: WireInstance): WireInstance => ({
  ...instance,
  move_s: usualTimes.moveSeconds,
  ready_s: instance.ready_s === null ? null : usualTimes.answerSeconds,
  ...(instance.migration_type === 'EVICTION' && { migration_type: 'MIGRATE' as const }),
});

const byProject = (isDone: boolean) => ({ migration_type: 'OWN_ACTION', acts_itself: isDone, fail_moves: 0 }) as const;

/** The first is kept by the cloud, the second is a gang, the others have a limit that their projects told. */
const podLimits = ({ maxImpactedMembers }: FleetGroup, at: number, members: readonly string[]): CloudLimits => {
  if (at === 0) return { maxImpactedMembers, recoveryTimeSeconds: 0, keptBy: { kind: 'cloud', isSteered: false } };
  if (at === 1) return { maxImpactedMembers: members.length, keptBy: { kind: 'service', limit: 'unit' } };
  return { maxImpactedMembers };
};

/** Projects of the last group alone have stored constraints: only they are asked. */
const withPodGroups = (fleet: FileFleet): FileFleet => {
  const { groups } = fleet;
  const serverGroups = groups.map((group, at): FleetServerGroup => {
    const { groupId, projectId, groupName, recoveryTime: recoveryTimeSeconds } = group;
    const instanceIds = fleet.instances.flatMap((one) => (one.groupId === groupId ? [one.instanceId] : []));
    const apart = { antiAffinity: false, affinity: false, maxInstancesPerHost: 1 };
    const limits = podLimits(group, at, instanceIds);
    return { groupId, projectId, groupName, ...apart, instanceIds, recoveryTimeSeconds, ...limits };
  });
  const instances = fleet.instances.map(({ constraints, ...instance }) => ({
    ...instance,
    ...(constraints && instance.groupId === groups.at(-1)?.groupId && { constraints }),
  }));
  return { ...fleet, groups: [], serverGroups, instances };
};

/** Pods of the first group are spread over hosts, and those of the last over two zones. */
const spreadsIn = ({ hosts, groups, instances }: FileFleet): ((instanceId: string) => readonly Spread[]) => {
  const zoneOf = (at: number): string => `zone-${String(at % 2)}`;
  const partsOf = { hosts: (name: string) => name, zones: (_: string, at: number) => zoneOf(at) };
  const computes = hosts.filter(({ isCompute }) => isCompute);
  const spreadOver = (over: keyof typeof partsOf): Spread => ({
    ...{ key: `over ${over}`, name: `spread over ${over}`, maxSkew: 1, minParts: 1 },
    partOf: new Map(computes.map(({ name }, at) => [name, partsOf[over](name, at)])),
  });
  const spreads = new Map([
    [groups.at(0)?.groupId, [spreadOver('hosts')]],
    [groups.at(-1)?.groupId, [spreadOver('zones')]],
  ]);
  const groupOf = new Map(instances.map(({ instanceId, groupId }) => [instanceId, groupId]));
  return (instanceId) => spreads.get(groupOf.get(instanceId)) ?? [];
};
