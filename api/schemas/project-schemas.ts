/** One look at a project: its instances in sessions, and its constraints. An addition to the interface. */
import { type Static, Type } from '@sinclair/typebox';
import { IdField, OwnIdField } from '../../forms/field-types';
import { GroupRecordSchema, InstanceConstraintsSchema } from './constraint-schemas';

const ProjectInstanceSchema = Type.Object({
  instance_id: IdField(),
  instance_name: Type.String(),
  session_id: OwnIdField(),
  state: Type.String({ description: "State in the cloud's own words" }),
  action: Type.Union([Type.String(), Type.Null()], { description: 'LIVE_MIGRATE, MIGRATE, OWN_ACTION or EVICTION' }),
  action_done: Type.Boolean(),
  project_state: Type.String({ description: 'The last reply about it, such as ACK_PLANNED_MAINTENANCE' }),
});

export const ProjectSchema = Type.Object({
  project_id: IdField(),
  instances: Type.Array(ProjectInstanceSchema, {
    description: 'Instances of the project in sessions that are not done',
  }),
  constraints: Type.Array(Type.Object({ ...InstanceConstraintsSchema.properties, migration_type: Type.String() }), {
    description: 'Stored constraints of its instances',
  }),
  groups: Type.Array(GroupRecordSchema, {
    description: 'Stored constraints of its groups',
  }),
});
export type ProjectBody = Static<typeof ProjectSchema>;
