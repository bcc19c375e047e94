/**
 * An event in the structured form of CloudEvents 1.0, as its binding to Kafka has it. The same event always gives the
 * same text, so a consumer recognises a repeat by `source` and `id`.
 */
import type { BusMessage } from './bus';
import type { EventPayload } from './envelope';

export const cloudEventContentType = 'application/cloudevents+json; charset=UTF-8';

export interface CloudEventNames {
  /** Begins every `type`, before a dot and the event type. CloudEvents asks for a reverse DNS name. */
  readonly cloudEventsPrefix: string;
  /** The address at which projects reach the API, without /v1 and without a trailing slash. */
  readonly baseUrl: string;
}

export interface CloudEvent {
  readonly specversion: '1.0';
  /** The `message_id`. */
  readonly id: string;
  readonly source: string;
  readonly type: string;
  /** The host, project or instance that it is about. Left out: the session itself. */
  readonly subject?: string;
  /** The time when the event was recorded, in the form of RFC 3339. */
  readonly time: string;
  readonly datacontenttype: 'application/json';
  /** The key of the message on Kafka: the session's ID. */
  readonly partitionkey: string;
  /** The number of the event in its session, with zeros in front, so that it sorts as text. */
  readonly sequence: string;
  readonly sessionid: string;
  /** The project that a consumer routes by. */
  readonly projectid?: string;
  readonly data: EventPayload;
}

/** Session events are numbered with 32 bits. */
const sequenceDigits = 10;

export const toCloudEvent = ({ key, seq, envelope }: BusMessage, names: CloudEventNames): CloudEvent => {
  const { payload } = envelope;
  const subject = subjectOf(payload);
  const projectId = textOf(payload['project_id']);
  return {
    specversion: '1.0',
    id: envelope.message_id,
    source: `${names.baseUrl}/v1/maintenance/${key}`,
    type: `${names.cloudEventsPrefix}.${envelope.event_type}`,
    ...(subject !== undefined && { subject }),
    time: envelope.timestamp,
    datacontenttype: 'application/json',
    partitionkey: key,
    sequence: String(seq).padStart(sequenceDigits, '0'),
    sessionid: key,
    ...(projectId !== undefined && { projectid: projectId }),
    data: payload,
  };
};

const textOf = (value: unknown): string | undefined => (typeof value === 'string' && value !== '' ? value : undefined);

/** The last parts of a reply URL are the project's ID, and the instance's where the event is about one instance. */
const subjectOf = (payload: EventPayload): string | undefined => {
  const host = textOf(payload['host']);
  if (host !== undefined) return `hosts/${host}`;
  const [, project, instance] =
    /\/v1\/maintenance\/[^/]+\/([^/]+)(?:\/([^/]+))?$/.exec(textOf(payload['reply_url']) ?? '') ?? [];
  if (project === undefined) return undefined;
  return instance === undefined ? `projects/${project}` : `projects/${project}/instances/${instance}`;
};
