/** Instances that no other host could ever take, and groups that cannot keep apart while a host is out. */
import type { Fleet, Group, Host, Instance } from '../../planning/fleet/fleet';
import { becomesTarget, isDone, isTarget } from '../../planning/fleet/host-work';
import { having } from '../../planning/limits/reasons';
import { FleetModel } from '../../planning/model/fleet-model';
import { couldTake } from '../../planning/model/may-take-it';
import { amountWords } from '../../words/amount-words';
import type { BlockerFacts } from './blocker-facts';
import { type Blocker, nameOfInstance } from './plan';
import { membersByGroup } from './planned-groups';

export const blockersOfInstances = ({ input, fleet }: Pick<BlockerFacts, 'input' | 'fleet'>): readonly Blocker[] => {
  const toDo = fleet.hosts.filter(({ work }) => work?.sessionId === input.sessionId && !isDone(work));
  const names = new Set(toDo.map(({ name }) => name));
  const leaving = fleet.instances.filter(({ host }) => names.has(host));
  const model = new FleetModel(fleet);
  const usable = fleet.hosts.filter((host) => isTarget(host) || (host.work !== undefined && becomesTarget(host)));
  return [
    ...leaving.flatMap((instance) => blockerOf(model, instance, usable)),
    ...groupsNeverMet(fleet, leaving, usable),
  ];
};

const aboutInstance = ({ id, name }: Instance) => ({ subject: { kind: 'instance', id, name } }) as const;

const blockerOf = (model: FleetModel, instance: Instance, usable: readonly Host[]): Blocker[] => {
  const { host, projectId, cannotMove, amounts } = instance;
  if (cannotMove !== undefined) {
    return [
      {
        ...{ kind: 'instance_cannot_be_moved', severity: 'delays', when: 'now', ...aboutInstance(instance) },
        ...{ owner: 'project', projectId },
        because: `the cloud does not move instance ${nameOfInstance(instance)} away from host ${host}, since ${cannotMove}`,
        help: 'let its manager answer OWN_ACTION in time and carry it out, or take away what keeps it there',
      },
    ];
  }
  if (usable.some((other) => couldTake(model, other, instance))) return [];
  const wanted = having(model.classes.wantedBy(instance));
  return [
    {
      ...{ kind: 'instance_without_place', severity: 'stops', when: 'now', ...aboutInstance(instance) },
      owner: 'operator',
      because: `instance ${nameOfInstance(instance)} of project ${projectId} on host ${host} needs ${amountWords(amounts)}${wanted && ` on a host${wanted}`}: no other enabled compute host${wanted} is that large, even empty`,
      help: `add or enable a compute host${wanted} of at least that size, let its project make it smaller, or leave host ${host} out of the session`,
    },
  ];
};

/** With one host out, the others have fewer slots than the group has members. */
const groupsNeverMet = (fleet: Fleet, leaving: readonly Instance[], usable: readonly Host[]): readonly Blocker[] => {
  const members = membersByGroup(fleet);
  const affected = new Set(membersByGroup({ instances: leaving }).keys());
  return fleet.groups.flatMap((group) => {
    const { maxInstancesPerHost } = group;
    const count = members.get(group.key)?.length ?? 0;
    if (maxInstancesPerHost === undefined || !affected.has(group.key)) return [];
    const slots = maxInstancesPerHost * Math.max(0, usable.length - 1);
    return count > slots ? [neverMet(group, members.get(group.key) ?? [], { slots, hosts: usable.length })] : [];
  });
};

const neverMet = (
  group: Group,
  members: readonly Instance[],
  { slots, hosts }: { readonly slots: number; readonly hosts: number },
): Blocker => ({
  ...{ kind: 'group_never_met', severity: 'stops', when: 'now', owner: 'project' },
  subject: { kind: 'group', id: group.id ?? group.key, name: group.name },
  projectId: members[0]?.projectId,
  because:
    `group ${group.name} lets ${String(group.maxInstancesPerHost)} of its members share a host: with one of ${hosts} ` +
    `usable compute hosts out there is place for ${slots} of its ${members.length} members`,
  help: 'let its project raise max_instances_per_host or scale the group in, or add or enable a compute host',
});
