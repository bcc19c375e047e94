/**
 * An event in the form that consumers see: the specification's envelope around a payload (Events, Envelope). The same
 * row always gives the same envelope: on the bus, on the stream and when it is sent again.
 */

export interface Envelope {
  readonly priority: 'info';
  readonly event_type: string;
  /** The time when the event was recorded, ISO 8601 in UTC. */
  readonly timestamp: string;
  /** The service's short name in lower case. */
  readonly publisher_id: string;
  readonly message_id: string;
  /** A JSON object, not a string that contains one. */
  readonly payload: EventPayload;
}

export type EventPayload = Readonly<Record<string, unknown>>;

/**
 * The names of the service and its events on the wire: some clients expect names that differ from the specification's.
 */
export interface WireNames {
  /** The service's short name in lower case. */
  readonly serviceName: string;
  /** The event type for projects, in place of maintenance.planned. */
  readonly projectEventType: string;
}

/** The columns of an event's row that the envelope is made from. */
export interface RecordedEvent {
  readonly eventType: string;
  readonly messageId: string;
  readonly createdAt: Date;
  /** The payload in the form that the database returns. */
  readonly payload: unknown;
}

/** @throws Error when the row's payload is not a JSON object: somebody wrote it without the outbox */
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
