/** Finds contradictions between the records of a fleet file whose fields are all valid. */
import { type IdKey, keyOf } from '../../rules/cloud/id';
import type { WireFleet, WireGroup, WireHost, WireInstance } from './fleet-schema';

const repeated = (path: string, names: readonly string[], sameAs = (name: string): string => name): string[] => {
  const first = new Map<string, number>();
  return names.flatMap((id, index) => {
    const before = first.get(sameAs(id));
    if (before === undefined) first.set(sameAs(id), index);
    return before === undefined ? [] : [`/${path}/${index} repeats "${id}" of /${path}/${before}`];
  });
};

const groupProblems = (group: WireGroup, index: number): string[] =>
  group.anti_affinity_group && group.max_instances_per_host === 0
    ? [`/groups/${index}/max_instances_per_host must be at least 1 when anti_affinity_group is true`]
    : [];

const constraintFields = ['migration_type', 'lead_time', 'max_interruption_time', 'resource_mitigation'] as const;

/** An instance has all constraints or none, and only with a group, because they are stored in this way. */
const constraintProblems = (instance: WireInstance, index: number): string[] => {
  const given = constraintFields.filter((field) => instance[field] !== undefined);
  if (given.length === 0) return [];
  const missing = [...constraintFields, 'group_id' as const].filter((field) => instance[field] === undefined);
  if (missing.length === 0) return [];
  return [`/instances/${index} has ${given.join(', ')} but lacks ${missing.join(', ')}: give all of them or none`];
};

const placeProblems = (hosts: ReadonlyMap<string, WireHost>, instance: WireInstance, index: number): string[] => {
  const host = hosts.get(instance.host);
  if (host === undefined) return [`/instances/${index}/host "${instance.host}" is not among the hosts`];
  if (host.is_compute ?? host.type === 'compute') return [];
  return [`/instances/${index}/host "${instance.host}" holds no instances: it is a controller without is_compute`];
};

const ownerProblems = (groups: ReadonlyMap<IdKey, WireGroup>, instance: WireInstance, index: number): string[] => {
  const group = groups.get(keyOf(instance.group_id ?? ''));
  if (group === undefined || keyOf(group.project_id) === keyOf(instance.project_id)) return [];
  return [`/instances/${index}/group_id is a group of another project (${group.project_id})`];
};

const fullHostProblems = ({ hosts, instances }: WireFleet): string[] => {
  const instancesOn = Map.groupBy(instances, ({ host }) => host);
  return hosts.flatMap((host, index) => {
    const has = sizesOf(host);
    const held = new Map<string, number>();
    for (const [unit, amount] of (instancesOn.get(host.name) ?? []).flatMap((one) => [...sizesOf(one)])) {
      held.set(unit, (held.get(unit) ?? 0) + amount);
    }
    return [...held].flatMap(([unit, sum]) =>
      tooMuch(`/hosts/${index} (${host.name})`, unit, [sum, has.get(unit) ?? 0]),
    );
  });
};

const sizesOf = ({
  vcpus,
  memory_mb,
  amounts = {},
}: Pick<WireHost, 'vcpus' | 'memory_mb' | 'amounts'>): ReadonlyMap<string, number> =>
  new Map([['vcpus', vcpus], ['memory_mb', memory_mb], ...Object.entries(amounts)]);

/** It could never move, and a label that is misspelt should not look like that. */
const needProblems = (labels: ReadonlySet<string>, { needs = [] }: WireInstance, index: number): string[] =>
  needs
    .filter((label) => !labels.has(label))
    .map((label) => `/instances/${index}/needs "${label}" is a label that no host has`);

/** Fields of their own give these amounts. */
const ownFields = { VCPU: 'vcpus', MEMORY_MB: 'memory_mb' } as const;

const amountProblems = (path: string, { amounts = {} }: Pick<WireHost, 'amounts'>): string[] =>
  Object.entries(ownFields)
    .filter(([unit]) => unit in amounts)
    .map(([unit, field]) => `${path}/amounts/${unit} is what ${field} gives: leave it out`);

const tooMuch = (where: string, unit: string, [held, has]: readonly [number, number]): string[] =>
  held > has ? [`${where} has ${has} ${unit}, its instances need ${held}`] : [];

/** An instance is in at most one server group, and in one of its own project. */
const serverGroupProblems = ({ server_groups = [], instances }: WireFleet): string[] => {
  const projectOf = new Map(instances.map((one) => [keyOf(one.instance_id), one.project_id]));
  const listed = new Map<IdKey, string>();
  return server_groups.flatMap(({ project_id, instance_ids }, index) =>
    instance_ids.flatMap((id, position) => {
      const path = `/server_groups/${index}/instance_ids/${position}`;
      const before = listed.get(keyOf(id));
      listed.set(keyOf(id), path);
      const project = projectOf.get(keyOf(id));
      if (project === undefined) return [`${path} "${id}" is not among the instances`];
      if (keyOf(project) !== keyOf(project_id))
        return [`${path} "${id}" is an instance of another project (${project})`];
      return before === undefined ? [] : [`${path} repeats "${id}" of ${before}`];
    }),
  );
};

/** Each contradiction, with the JSON path of the record that has it. None in a fleet that can exist. */
export const contradictionsIn = (fleet: WireFleet): string[] => {
  const groups = fleet.groups ?? [];
  const hostsByName = new Map(fleet.hosts.map((host) => [host.name, host]));
  const groupsById = new Map(groups.map((group) => [keyOf(group.group_id), group]));
  const hostNames = fleet.hosts.map((host) => host.name);
  const labels = new Set(fleet.hosts.flatMap((host) => host.labels ?? []));
  const projectIds = (fleet.projects ?? []).map(({ project_id }) => project_id);
  const groupIds = groups.map((group) => group.group_id);
  const instanceIds = fleet.instances.map((instance) => instance.instance_id);
  return [
    ...repeated('hosts', hostNames),
    ...repeated('projects', projectIds, keyOf),
    ...repeated('groups', groupIds, keyOf),
    ...repeated('instances', instanceIds, keyOf),
    ...repeated(
      'server_groups',
      (fleet.server_groups ?? []).map((group) => group.server_group_id),
      keyOf,
    ),
    ...serverGroupProblems(fleet),
    ...groups.flatMap(groupProblems),
    ...fleet.hosts.flatMap((host, index) => amountProblems(`/hosts/${index}`, host)),
    ...fleet.instances.flatMap((instance, index) => [
      ...placeProblems(hostsByName, instance, index),
      ...ownerProblems(groupsById, instance, index),
      ...constraintProblems(instance, index),
      ...needProblems(labels, instance, index),
      ...amountProblems(`/instances/${index}`, instance),
    ]),
    ...fullHostProblems(fleet),
  ];
};
