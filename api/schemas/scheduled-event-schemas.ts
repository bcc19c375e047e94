/** The document of Azure's Scheduled Events, with the names that its agents expect. An addition to the interface. */
import { type Static, Type } from '@sinclair/typebox';
import { ChoiceField, OwnIdField } from '../../forms/field-types';

const ScheduledEventSchema = Type.Object({
  EventId: OwnIdField('The same until the event is gone'),
  EventType: ChoiceField(
    ['Freeze', 'Redeploy', 'Terminate'],
    'Freeze: a live migration. Redeploy: it stops, and starts on another host. Terminate: it is evicted',
  ),
  ResourceType: ChoiceField(['VirtualMachine'], 'Always the same'),
  Resources: Type.Array(Type.String(), { description: 'The name of the instance' }),
  EventStatus: ChoiceField(['Scheduled', 'Started'], 'Started: its action goes on'),
  NotBefore: Type.String({
    description:
      'When it is expected to start, as the project was told last, in the form of HTTP; empty: it has started',
  }),
  Description: Type.String(),
  EventSource: ChoiceField(['Platform'], 'Always the same'),
  DurationInSeconds: Type.Integer({ description: 'How long it is expected to be interrupted; -1: not known' }),
});
export type ScheduledEventBody = Static<typeof ScheduledEventSchema>;

export const ScheduledEventsSchema = Type.Object({
  DocumentIncarnation: Type.Integer({ minimum: 0, description: 'Changes when the events do' }),
  Events: Type.Array(ScheduledEventSchema, { description: 'By the time when they start' }),
});
export type ScheduledEventsBody = Static<typeof ScheduledEventsSchema>;

export const StartRequestsSchema = Type.Object({
  StartRequests: Type.Array(Type.Object({ EventId: OwnIdField('ID of an event') }), {
    minItems: 1,
    maxItems: 1_000,
    description: 'Events that may begin, as far as their owner is concerned',
  }),
});
export type StartRequestsBody = Static<typeof StartRequestsSchema>;
