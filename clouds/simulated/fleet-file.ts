/**
 * Reads fleet files: JSON in the shape of `fleet-schema.ts`. Also refuses contradictions that no cloud could hold (two
 * hosts with one name, an instance on a host that does not exist, more on a host than its capacity). Reports all
 * problems at once.
 */
import { readFile } from 'node:fs/promises';
import { Ajv, type DefinedError, type ErrorObject } from 'ajv';
import type {
  FileFleet,
  FleetGroup,
  FleetHost,
  FleetInstance,
  FleetInstanceConstraints,
  FleetServerGroup,
} from '../../rules/simulation/file-fleet';
import { schemaFault } from '../../rules/words/schema-fault';
import { contradictionsIn } from './fleet-contradictions';
import { FleetError } from './fleet-error';
import {
  fleetSchema,
  type WireFleet,
  type WireGroup,
  type WireHost,
  type WireInstance,
  type WireServerGroup,
} from './fleet-schema';
import { inOneForm } from './one-form';

const problemsShown = 20;

const isWireFleet = new Ajv({ allErrors: true, verbose: true }).compile<WireFleet>(fleetSchema);

const describedBy = (error: ErrorObject): string | undefined => {
  const description: unknown = error.parentSchema?.['description'];
  return typeof description === 'string' ? `must be ${description}` : undefined;
};

/** A union fails once for the union and once for each of its members. The union's own line is enough. */
const isPartOfUnion = (error: ErrorObject): boolean => error.schemaPath.includes('/anyOf/');

const problemOf = (error: ErrorObject): string => {
  const fault = schemaFault(error as DefinedError);
  return `${fault.pointer === '' ? '/' : fault.pointer} ${describedBy(error) ?? fault.message}`;
};

const refuse = (problems: readonly string[]): never => {
  const more = problems.length - problemsShown;
  const lines = problems.slice(0, problemsShown).map((problem) => `\n  ${problem}`);
  throw new FleetError(`not a fleet:${lines.join('')}${more > 0 ? `\n  and ${more} more` : ''}`);
};

const fleetHostOf = (host: WireHost): FleetHost => ({
  name: host.name,
  type: host.type,
  isCompute: host.is_compute ?? host.type === 'compute',
  vcpus: host.vcpus,
  memoryMb: host.memory_mb,
  maintain: host.maintain ?? true,
  maintenanceSeconds: host.maintenance_s ?? 0,
  enabled: host.enabled ?? true,
  ...(host.labels && { labels: host.labels }),
  ...(host.properties && { properties: host.properties }),
  ...(host.amounts && { amounts: host.amounts }),
});

const groupOf = (group: WireGroup): FleetGroup => ({
  groupId: group.group_id,
  projectId: group.project_id,
  groupName: group.group_name,
  antiAffinityGroup: group.anti_affinity_group,
  maxInstancesPerHost: group.max_instances_per_host,
  maxImpactedMembers: group.max_impacted_members,
  recoveryTime: group.recovery_time,
  resourceMitigation: group.resource_mitigation,
});

const serverGroupOf = (group: WireServerGroup): FleetServerGroup => ({
  groupId: group.server_group_id,
  projectId: group.project_id,
  groupName: group.server_group_name,
  antiAffinity: group.policy === 'anti-affinity',
  affinity: group.policy === 'affinity',
  maxInstancesPerHost: group.max_instances_per_host ?? 1,
  instanceIds: group.instance_ids,
});

/** Makes only the listed instances members of a server group. */
const cloudGroupIdOf = (
  { instance_id, group_id }: WireInstance,
  serverGroups: readonly FleetServerGroup[],
): string | undefined => {
  const listing = serverGroups.find(({ instanceIds }) => instanceIds.includes(instance_id));
  if (listing) return listing.groupId;
  return serverGroups.some(({ groupId }) => groupId === group_id) ? undefined : group_id;
};

/** An instance has constraints when the file gives all of them and its group (fleet-contradictions.ts). */
const constraintsOf = (instance: WireInstance): FleetInstanceConstraints | undefined => {
  const { group_id, migration_type, lead_time, max_interruption_time, resource_mitigation } = instance;
  if (group_id === undefined || migration_type === undefined || lead_time === undefined) return undefined;
  if (max_interruption_time === undefined || resource_mitigation === undefined) return undefined;
  return {
    groupId: group_id,
    migrationType: migration_type,
    leadTime: lead_time,
    maxInterruptionTime: max_interruption_time,
    resourceMitigation: resource_mitigation,
  };
};

const instanceOf = (instance: WireInstance, serverGroups: readonly FleetServerGroup[]): FleetInstance => {
  const constraints = constraintsOf(instance);
  const groupId = cloudGroupIdOf(instance, serverGroups);
  return {
    instanceId: instance.instance_id,
    instanceName: instance.instance_name,
    projectId: instance.project_id,
    ...(groupId !== undefined && { groupId }),
    host: instance.host,
    flavor: instance.flavor ?? `${instance.vcpus}x${instance.memory_mb}`,
    vcpus: instance.vcpus,
    memoryMb: instance.memory_mb,
    moveSeconds: instance.move_s,
    failMoves: instance.fail_moves ?? 0,
    actsItself: instance.acts_itself ?? true,
    ...(instance.needs && { needs: instance.needs }),
    ...(instance.amounts && { amounts: instance.amounts }),
    ...(instance.refused_by !== undefined && { refusedBy: instance.refused_by }),
    ...(instance.ready_s !== undefined && { readySeconds: instance.ready_s }),
    ...(constraints !== undefined && { constraints }),
  };
};

/** @throws FleetError that lists all problems, each with its JSON path */
export const parseFleet = (value: unknown): FileFleet => {
  if (!isWireFleet(value)) {
    const errors = (isWireFleet.errors ?? []).filter((error) => !isPartOfUnion(error));
    return refuse(errors.map(problemOf));
  }
  const contradictions = contradictionsIn(value);
  if (contradictions.length > 0) return refuse(contradictions);
  const { name, projects = [], hosts, groups = [], server_groups: described = [], instances } = inOneForm(value);
  const serverGroups = described.map(serverGroupOf);
  return {
    name,
    ...(projects.length > 0 && {
      projects: projects.map(({ project_id: projectId, name: called }) => ({ projectId, name: called })),
    }),
    hosts: hosts.map(fleetHostOf),
    groups: groups.map(groupOf),
    ...(serverGroups.length > 0 && { serverGroups }),
    instances: instances.map((instance) => instanceOf(instance, serverGroups)),
  };
};

const parseJson = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw new FleetError(`not JSON: ${cause instanceof Error ? cause.message : String(cause)}`, { cause });
  }
};

/** @throws FleetError that names the file, and the path in it */
export const readFleetFile = async (path: string): Promise<FileFleet> => {
  try {
    return parseFleet(parseJson(await readFile(path, 'utf8')));
  } catch (cause) {
    throw new FleetError(`${path}: ${cause instanceof Error ? cause.message : String(cause)}`, { cause });
  }
};
