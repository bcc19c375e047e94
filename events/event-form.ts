/** The forms that an event can have on Kafka; PARLEY_EVENT_FORMAT chooses one. What an event says: drafts.ts. */
import type { BusMessage } from './bus';
import { cloudEventContentType, type CloudEventNames, toCloudEvent } from './cloud-event';
import { toOsloMessage } from './oslo-message';

export interface MessageContent {
  readonly value: string;
  readonly headers?: Readonly<Record<string, string>>;
}

export type EventForm = (message: BusMessage) => MessageContent;

export const plainForm: EventForm = ({ envelope }) => ({ value: JSON.stringify(envelope) });

const osloForm: EventForm = ({ envelope }) => ({ value: toOsloMessage(envelope) });

const cloudEventsForm =
  (names: CloudEventNames): EventForm =>
  (message) => ({
    value: JSON.stringify(toCloudEvent(message, names)),
    headers: { 'content-type': cloudEventContentType },
  });

export const eventFormOf = (format: 'plain' | 'oslo' | 'cloudevents', names: CloudEventNames): EventForm => {
  switch (format) {
    case 'plain':
      return plainForm;
    case 'oslo':
      return osloForm;
    case 'cloudevents':
      return cloudEventsForm(names);
  }
};
