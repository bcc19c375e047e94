/** Constraints of instances and groups (specification, Resources). */
import { type Static, Type } from '@sinclair/typebox';
import { ChoiceField, CountField, IdField, NameField, SecondsField } from '../../forms/field-types';
import { TermsSchema } from '../../forms/terms-schema';
import { ProblemSchema } from './problem-schemas';

const closed = { additionalProperties: false } as const;

/** LIVE_MIGRATION and MIGRATION are earlier spellings of LIVE_MIGRATE and MIGRATE, which are stored. */
export const migrationTypes = [
  'LIVE_MIGRATE',
  'MIGRATE',
  'OWN_ACTION',
  'EVICTION',
  'LIVE_MIGRATION',
  'MIGRATION',
] as const;

export const InstanceConstraintsSchema = Type.Object(
  {
    instance_id: IdField("The path's"),
    project_id: IdField(),
    group_id: IdField('Instance group'),
    instance_name: NameField('Name of the instance'),
    max_interruption_time: SecondsField('how long a live migration can take'),
    migration_type: ChoiceField(
      migrationTypes,
      'The preferred action; LIVE_MIGRATION and MIGRATION are stored as LIVE_MIGRATE and MIGRATE; EVICTION only when the cloud evicts',
    ),
    resource_mitigation: Type.Boolean({
      description:
        'Needs a double allocation while being migrated. With OWN_ACTION: true, the replacement comes before the old ' +
        'one goes, so its capacity is held; false, the project deletes first, so no capacity is needed beforehand',
    }),
    lead_time: SecondsField('what the VNF needs before the operation; 0: nobody asks about the instance'),
    terms: Type.Optional(TermsSchema),
  },
  closed,
);
export type InstanceConstraintsBody = Static<typeof InstanceConstraintsSchema>;

const groupFields = {
  group_id: IdField("The path's"),
  project_id: IdField(),
  group_name: NameField('Name of the group'),
  anti_affinity_group: Type.Boolean(),
  max_instances_per_host: CountField(0, 'Maximum number of members on one host; 0 only without anti-affinity'),
  max_impacted_members: CountField(1, 'Maximum number of members that are impacted at once'),
  recovery_time: SecondsField('recovery of the VNF after an operation on a member'),
  resource_mitigation: Type.Boolean({ description: 'As for instances; the value of an instance has priority' }),
  terms: Type.Optional(TermsSchema),
};

export const GroupConstraintsSchema = Type.Object(groupFields, closed);
export type GroupConstraintsBody = Static<typeof GroupConstraintsSchema>;

export const GroupRecordSchema = Type.Object({
  ...groupFields,
  instance_ids: Type.Array(IdField(), { description: 'Stored instances that name the group' }),
});
export type GroupRecordBody = Static<typeof GroupRecordSchema>;

const mostItems = 1_000;

/** The items are checked one by one, so that the others are stored where some are wrong. */
export const ManyConstraintsSchema = Type.Object(
  {
    instances: Type.Optional(
      Type.Array(Type.Unknown(), { maxItems: mostItems, description: 'Each as for PUT /v1/instance/{instance_id}' }),
    ),
    instance_groups: Type.Optional(
      Type.Array(Type.Unknown(), { maxItems: mostItems, description: 'Each as for PUT /v1/instance_group/{group_id}' }),
    ),
  },
  closed,
);

export const StoredConstraintsSchema = Type.Object({
  stored: Type.Integer({ description: 'Number of items that are stored' }),
  failed: Type.Array(
    Type.Object({
      pointer: Type.String({ description: 'JSON pointer to the item: nothing of it is stored' }),
      problem: ProblemSchema,
    }),
    { description: 'The other items; their order is that of the request, groups first' },
  ),
});
export type StoredConstraintsBody = Static<typeof StoredConstraintsSchema>;
