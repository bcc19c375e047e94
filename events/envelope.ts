/**
 * What consumers see of an event: the specification's envelope around a payload (Events, Envelope). The same row always
 * gives the same envelope, on the bus, on the stream and when it is sent again.
 */

export interface Envelope {
  readonly priority: 'info';
  readonly event_type: string;
  /** When the event was recorded, ISO 8601 in UTC. */
  readonly timestamp: string;
  /** The service's short name in lower case. */
  readonly publisher_id: string;
  readonly message_id: string;
  /** A JSON object, not a string that holds one. */
  readonly payload: EventPayload;
}

export type EventPayload = Readonly<Record<string, unknown>>;

/** How the service and its events are called on the wire: some clients expect other names than the specification's. */
export interface WireNames {
  /** The service's short name in lower case. */
  readonly serviceName: string;
  /** Event type of what projects are told, in place of maintenance.planned. */
  readonly projectEventType: string;
}

/** What of an event's row the envelope is made from. */
export interface RecordedEvent {
  readonly eventType: string;
  readonly messageId: string;
  readonly createdAt: Date;
  /** As the database returns it. */
  readonly payload: unknown;
}

/** @throws Error where the row's payload is not a JSON object: somebody wrote it past the outbox */
export const toEnvelope = (row: RecordedEvent, { serviceName, projectEventType }: WireNames): Envelope => ({
  priority: 'info',
  event_type: row.eventType === 'maintenance.planned' ? projectEventType : row.eventType,
  timestamp: row.createdAt.toISOString(),
  publisher_id: serviceName,
  message_id: row.messageId,
  payload: parsePayload(row),
});

const parsePayload = ({ payload, messageId }: RecordedEvent): EventPayload => {
  if (isJsonObject(payload)) return payload;
  throw new Error(`the payload of event ${messageId} is not a JSON object; events are written by appendEvent only`);
};

const isJsonObject = (value: unknown): value is EventPayload =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
