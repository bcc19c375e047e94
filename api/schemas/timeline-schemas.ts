/** The hosts of a session over time: an addition to the interface. */
import { type Static, Type } from '@sinclair/typebox';
import { OwnIdField } from '../../forms/field-types';
import { HostRecordSchema, InstanceRecordSchema, SessionRecordSchema } from './session-schemas';
import { shownSteering } from './steering-schemas';

/** A session has thousands of hosts, so each has only fields that a timeline shows. */
export const SessionTimelineSchema = Type.Object({
  session_id: OwnIdField(),
  session: Type.Object({ workflow: SessionRecordSchema.properties.workflow, ...shownSteering }),
  hosts: Type.Array(
    Type.Pick(HostRecordSchema, [
      'hostname',
      'type',
      'phase',
      'phase_since',
      'past_phases',
      'drain_started_at',
      'waiting',
      'disabled',
      'details',
    ]),
    { description: 'In the order of their names' },
  ),
  instances: Type.Array(Type.Pick(InstanceRecordSchema, ['host', 'instance_name']), {
    description: 'Those on hosts under work',
  }),
});
export type SessionTimelineBody = Static<typeof SessionTimelineSchema>;
