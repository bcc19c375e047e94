/**
 * A cloud writes an ID in one form. A fleet file may write the same ID in several forms: the first form replaces the
 * others.
 */
import { writtenAs } from '../../rules/cloud/id';
import type { WireFleet } from './fleet-schema';

/** The same fleet, each project, group and instance written in one form. */
export const inOneForm = (fleet: WireFleet): WireFleet => {
  const { projects, groups = [], server_groups: serverGroups = [], instances } = fleet;
  const project = writtenAs([...instances, ...groups, ...serverGroups].map(({ project_id }) => project_id));
  const instance = writtenAs(instances.map(({ instance_id }) => instance_id));
  const group = writtenAs([
    ...serverGroups.map(({ server_group_id }) => server_group_id),
    ...groups.map(({ group_id }) => group_id),
    ...instances.flatMap(({ group_id }) => group_id ?? []),
  ]);
  return {
    ...fleet,
    ...(projects && { projects: projects.map((one) => ({ ...one, project_id: project(one.project_id) })) }),
    groups: groups.map((one) => ({
      ...one,
      group_id: group(one.group_id),
      project_id: project(one.project_id),
    })),
    server_groups: serverGroups.map((one) => ({
      ...one,
      server_group_id: group(one.server_group_id),
      project_id: project(one.project_id),
      instance_ids: one.instance_ids.map(instance),
    })),
    instances: instances.map((one) => ({
      ...one,
      project_id: project(one.project_id),
      ...(one.group_id !== undefined && { group_id: group(one.group_id) }),
    })),
  };
};
