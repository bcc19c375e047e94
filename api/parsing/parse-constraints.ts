/** Bodies of constraints, parsed into records in the form in which they are stored, and back. */
import type { GroupConstraints, InstanceConstraints } from '../../prisma/constraints/constraints';
import type { Id } from '../../rules/cloud/id';
import { findDifferingIds } from '../http/path-ids';
import { createBodyParser } from '../http/schema-check';
import type { FieldError } from '../problems/problem';
import { bodyDoesNotFit } from '../problems/problem-catalogue';
import {
  type GroupConstraintsBody,
  GroupConstraintsSchema,
  type GroupRecordBody,
  type InstanceConstraintsBody,
  InstanceConstraintsSchema,
  ManyConstraintsSchema,
  type migrationTypes,
} from '../schemas/constraint-schemas';

const parseInstanceBody = createBodyParser(InstanceConstraintsSchema, bodyDoesNotFit);
const parseGroupBody = createBodyParser(GroupConstraintsSchema, bodyDoesNotFit);

/** Earlier spellings are stored as today's (clients in the field write both). */
const storedMigrationType: Readonly<Record<(typeof migrationTypes)[number], (typeof migrationTypes)[number]>> = {
  LIVE_MIGRATE: 'LIVE_MIGRATE',
  LIVE_MIGRATION: 'LIVE_MIGRATE',
  MIGRATE: 'MIGRATE',
  MIGRATION: 'MIGRATE',
  OWN_ACTION: 'OWN_ACTION',
  EVICTION: 'EVICTION',
};

/** @throws ApiError 422 */
export const parseInstanceConstraints = (given: unknown, instanceId: Id): InstanceConstraints => {
  const body = parseInstanceBody(given);
  const differing = findDifferingIds(body, { instance_id: instanceId });
  if (differing.length > 0) throw bodyDoesNotFit(differing);
  return instanceFrom(body);
};

const instanceFrom = (body: InstanceConstraintsBody): InstanceConstraints => {
  return {
    instanceId: body.instance_id,
    projectId: body.project_id,
    groupId: body.group_id,
    instanceName: body.instance_name,
    maxInterruptionTime: body.max_interruption_time,
    migrationType: storedMigrationType[body.migration_type],
    resourceMitigation: body.resource_mitigation,
    leadTime: body.lead_time,
    terms: body.terms ?? null,
  };
};

/** Clients of groups without anti-affinity send 0; with anti-affinity the count is 1..N. */
const countError = {
  pointer: '/max_instances_per_host',
  message: 'must be at least 1 where anti_affinity_group is true',
};

/** @throws ApiError 422 */
export const parseGroupConstraints = (given: unknown, groupId: Id): GroupConstraints => {
  const body = parseGroupBody(given);
  const errors = [...findDifferingIds(body, { group_id: groupId }), ...countErrorsOf(body)];
  if (errors.length > 0) throw bodyDoesNotFit(errors);
  return groupFrom(body);
};

const countErrorsOf = (body: GroupConstraintsBody): FieldError[] =>
  body.anti_affinity_group && body.max_instances_per_host < 1 ? [countError] : [];

const groupFrom = (body: GroupConstraintsBody): GroupConstraints => {
  return {
    groupId: body.group_id,
    projectId: body.project_id,
    groupName: body.group_name,
    antiAffinityGroup: body.anti_affinity_group,
    maxInstancesPerHost: body.max_instances_per_host,
    maxImpactedMembers: body.max_impacted_members,
    recoveryTime: body.recovery_time,
    resourceMitigation: body.resource_mitigation,
    terms: body.terms ?? null,
  };
};

/** Throws ApiError 422 unless the body has lists; each item is parsed alone. */
export const parseLists = createBodyParser(ManyConstraintsSchema, bodyDoesNotFit);

/** Parses an item of the lists. @throws ApiError 422 with pointers into the item */
export const parseListedInstance = (item: unknown): InstanceConstraints => instanceFrom(parseInstanceBody(item));

/** Parses an item of the lists. @throws ApiError 422 with pointers into the item */
export const parseListedGroup = (item: unknown): GroupConstraints => {
  const body = parseGroupBody(item);
  const errors = countErrorsOf(body);
  if (errors.length > 0) throw bodyDoesNotFit(errors);
  return groupFrom(body);
};

/** Clients that store none do not see the field. The parser has checked what is stored. */
const termsOf = ({ terms }: Pick<GroupConstraints, 'terms'>): Pick<GroupConstraintsBody, 'terms'> =>
  terms === null || terms === undefined ? {} : { terms };

export const serializeInstanceConstraints = (
  stored: InstanceConstraints,
): Omit<InstanceConstraintsBody, 'migration_type'> & { readonly migration_type: string } => ({
  instance_id: stored.instanceId,
  project_id: stored.projectId,
  group_id: stored.groupId,
  instance_name: stored.instanceName,
  max_interruption_time: stored.maxInterruptionTime,
  migration_type: stored.migrationType,
  resource_mitigation: stored.resourceMitigation,
  lead_time: stored.leadTime,
  ...termsOf(stored),
});

export const serializeGroupConstraints = ({
  group,
  instanceIds,
}: {
  readonly group: GroupConstraints;
  readonly instanceIds: readonly string[];
}): GroupRecordBody => ({
  group_id: group.groupId,
  project_id: group.projectId,
  group_name: group.groupName,
  anti_affinity_group: group.antiAffinityGroup,
  max_instances_per_host: group.maxInstancesPerHost,
  max_impacted_members: group.maxImpactedMembers,
  recovery_time: group.recoveryTime,
  resource_mitigation: group.resourceMitigation,
  ...termsOf(group),
  instance_ids: [...instanceIds],
});
