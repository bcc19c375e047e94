/** The blockers that the fleet tells at once: its instances, groups, hosts and projects. */
import { comesBackWithHost, endsThere, expectedEndOf, isNotMadeAgain, isUpToSession } from '../../cloud/departure';
import { keyOf } from '../../cloud/id';
import { fitsNowhere, triedFor } from '../../decisions/both-workflows/cannot-begin';
import { askedLastOn } from '../../decisions/both-workflows/goes-last';
import type { Fleet, Group, Host, Instance } from '../../decisions/fleet/fleet';
import { becomesTarget, isDone, isStarting, isTarget, isUnderWork } from '../../decisions/fleet/host-work';
import { isAsked } from '../../decisions/fleet/is-asked';
import { compareText } from '../../decisions/fleet/ordered';
import { FleetModel } from '../../decisions/model/fleet-model';
import type { Severity } from '../../obstacles/blocker';
import { type Blocker, blocker } from '../../obstacles/blockers';
import { releasedAtMs } from '../../owner-times/release';
import type { BlockerFacts } from './blocker-facts';
import { expectedPace } from './expected-pace';
import type { PlanInput } from './plan';
import { membersByGroup } from './planned-groups';
import { targetsDown } from './targets-down';

type FleetOfPlan = Pick<BlockerFacts, 'input' | 'fleet'>;

interface PlannedFleet extends FleetOfPlan {
  readonly model: FleetModel;
  /** The hosts that the session has to maintain still. */
  readonly own: readonly Host[];
  /** The instances that leave them. */
  readonly leaving: readonly Instance[];
  /** Hosts that take instances now or later. */
  readonly usable: readonly Host[];
  /** How grave a host is on which work cannot begin. */
  readonly severity: Severity;
}

export const blockersInFleet = ({ input, fleet }: FleetOfPlan): readonly Blocker[] => {
  const model = new FleetModel(fleet);
  const own = model.hostsOf(input.sessionId).filter(({ work }) => !isDone(work));
  const names = new Set(own.map(({ name }) => name));
  const leaving = fleet.instances.filter(({ host }) => names.has(host));
  const usable = fleet.hosts.filter((host) => isTarget(host) || (host.work !== undefined && becomesTarget(host)));
  const scene: PlannedFleet = { input, fleet, model, own, leaving, usable, severity: severityOf(input) };
  return [
    ...leaving.flatMap((instance) => ofInstance(scene, instance)),
    ...leaving.flatMap((instance) => ofThoseOutsideHours(input, instance)),
    ...leaving.flatMap(ofThoseThatComeBack),
    ...leaving.flatMap(ofThoseThatEndForGood),
    ...own.flatMap((host) => ofHostThatGoesLast(scene, host)),
    ...ofGroups(scene),
    ...ofHosts(scene),
    ...targetsDown(model, own, leaving),
    ...ofProjects(scene),
  ];
};

const ofInstance = ({ model, severity }: PlannedFleet, instance: Instance): readonly Blocker[] => {
  const { departure } = instance;
  if (departure.kind === 'held') return [blocker('instance_held_by_state', { ...instance, severity })];
  if (departure.kind === 'byProject' && !endsThere(instance))
    return [blocker('instance_cannot_be_moved', { ...instance, because: departure.because })];
  const end = expectedEndOf(instance);
  if (end) return [blocker('instance_ends_by_itself', { ...instance, ...end, isMoved: !endsThere(instance) })];
  if (!fitsNowhere(model, instance)) return [];
  const tried = triedFor(model, instance);
  return [blocker('instance_without_place', { ...instance, tried, isUpToSession: isUpToSession(instance), severity })];
};

const ofThoseOutsideHours = ({ nowMs }: PlanInput, instance: Instance): readonly Blocker[] =>
  releasedAtMs(instance, nowMs) === Infinity
    ? [blocker('outside_owner_hours', { ...instance, severity: 'stops' })]
    : [];

const ofThoseThatComeBack = (instance: Instance): readonly Blocker[] =>
  instance.mayComeBack === undefined
    ? []
    : [blocker('instance_may_come_back', { ...instance, because: instance.mayComeBack })];

const ofThoseThatEndForGood = (instance: Instance): readonly Blocker[] => {
  const { endsForGood: because, departure } = instance;
  const isMoved = departure.kind !== 'held' && departure.kind !== 'byProject' && !endsThere(instance);
  if (because === undefined || !isMoved) return [];
  return [blocker('instance_ends_for_good', { ...instance, because })];
};

const ofHostThatGoesLast = ({ model }: PlannedFleet, host: Host): readonly Blocker[] =>
  askedLastOn(model, host).map(({ instance, because, help }) =>
    blocker('instance_may_be_refused', { ...instance, because, help }),
  );

/** Hosts that hold such an instance, or are down, are set aside at the end where the session may go on without them. */
const severityOf = ({ sessions, sessionId }: PlanInput): Severity => {
  const { maxFailedHosts = 0 } = sessions.find((one) => one.sessionId === sessionId)?.limits ?? {};
  return maxFailedHosts > 0 ? 'delays' : 'stops';
};

/** Groups with members that leave. */
const ofGroups = ({ fleet, leaving, usable }: PlannedFleet): readonly Blocker[] => {
  const members = membersByGroup(fleet);
  const affected = new Set(membersByGroup({ instances: leaving }).keys());
  return fleet.groups
    .filter(({ key }) => affected.has(key))
    .flatMap((group) => {
      const now = { members: members.get(group.key) ?? [], hosts: usable.length };
      return [...neverMet(group, now), ...notReadable(group, now)];
    });
};

const notReadable = ({ id, key, name, fault }: Group, { members }: GroupNow): readonly Blocker[] => {
  const about = { id: id ?? key, name, projectId: members[0]?.projectId };
  return fault === undefined ? [] : [blocker('constraints_not_readable', { ...about, fault })];
};

interface GroupNow {
  readonly members: readonly Instance[];
  /** The number of usable hosts. */
  readonly hosts: number;
}

/** It has more members than the other hosts have slots while one host is out, and they wait for another place. */
const neverMet = ({ id, key, name, maxInstancesPerHost }: Group, { members, hosts }: GroupNow): readonly Blocker[] => {
  if (maxInstancesPerHost === undefined) return [];
  const slots = maxInstancesPerHost * Math.max(0, hosts - 1);
  if (members.length <= slots || members.every((one) => comesBackWithHost(one) || isNotMadeAgain(one))) return [];
  const about = { id: id ?? key, name, projectId: members[0]?.projectId, members: members.length };
  return [blocker('group_never_met', { ...about, maxInstancesPerHost, hosts, slots })];
};

/** Hosts of the session that are disabled already, or down. */
const ofHosts = ({ input, model, own, severity }: PlannedFleet): readonly Blocker[] => {
  const cloudHosts = new Map(input.cloudHosts.map((host) => [host.name, host]));
  const toBegin = own.filter((host) => !isUnderWork(host) && !isStarting(host));
  return toBegin.flatMap(({ name: hostname }) => {
    const { isUp, enabled, disabledReason: reason } = cloudHosts.get(hostname) ?? { isUp: true, enabled: true };
    if (!isUp) return [blocker('host_down', { hostname, instances: model.instancesOn(hostname), severity })];
    return enabled ? [] : [blocker('host_disabled', { hostname, reason })];
  });
};

/** Projects that stored no constraints, and those that do not answer. */
const ofProjects = ({ input, fleet, leaving }: PlannedFleet): readonly Blocker[] => {
  const { isSilent } = expectedPace({ ...input, actions: [] }, 'expected');
  return [...Map.groupBy(leaving, ({ projectId }) => projectId)]
    .sort(([one], [other]) => compareText(one, other))
    .flatMap(([projectId, instances]) => [
      ...withoutConstraints(projectId, instances, { input, fleet }),
      ...(isSilent(projectId) && instances.some((one) => isAsked(one) && one.byTerms?.atOnce !== true)
        ? [blocker('project_silent', { projectId, percent: silentPercent(projectId, input) })]
        : []),
    ]);
};

const withoutConstraints = (
  projectId: string,
  instances: readonly Instance[],
  { input: { replySeconds }, fleet }: FleetOfPlan,
): readonly Blocker[] => {
  const without = instances.filter(({ leadTimeSeconds }) => leadTimeSeconds === undefined);
  if (without.length === 0) return [];
  const defaults = defaultsOf(without, fleet);
  return [blocker('project_without_constraints', { projectId, instances: without.length, defaults, replySeconds })];
};

const mostGroupsNamed = 3;

const defaultsOf = (instances: readonly Instance[], { groups }: Fleet): string => {
  const keys = new Set(instances.map(({ groupKey }) => groupKey));
  const own = groups.filter(({ key }) => keys.has(key));
  const named = own
    .slice(0, mostGroupsNamed)
    .map(({ name, maxImpactedMembers }) => `${maxImpactedMembers} at a time of ${name}`);
  const more = own.length - named.length;
  const actions = new Set(instances.map(({ defaultAction }) => defaultAction));
  return [...actions, ...named, ...(more > 0 ? [`and of ${more} more groups`] : [])].join(', ');
};

const silentPercent = (projectId: string, { seen }: PlanInput): number =>
  Math.round((seen.answers.find((one) => keyOf(one.projectId) === keyOf(projectId))?.silentShare ?? 1) * 100);
