/**
 * An event in the form in which oslo.messaging sends a notification over Kafka, so that its consumers (telemetry
 * services among them) can read it: the envelope with an empty `_context`, as JSON text within JSON.
 *
 * Such consumers turn the lists and dictionaries of a payload into text, and clients evaluate this text as Python or as
 * YAML. Python and YAML write true, false and null differently. So the payload holds values that both read alike and
 * that mean the same: 1, 0 and ''.
 */
import type { Envelope } from './envelope';

const plainValue = (value: unknown): unknown => {
  if (typeof value === 'boolean') return value ? 1 : 0;
  return value ?? '';
};

const evaluable = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(evaluable);
  if (typeof value !== 'object' || value === null) return plainValue(value);
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, evaluable(inner)]));
};

/** `YYYY-MM-DD HH:MM:SS.ffffff` in UTC. Our times have milliseconds. */
const osloTimestamp = (isoTime: string): string => isoTime.replace('T', ' ').replace('Z', '000');

/** The content of the Kafka message. */
export const toOsloMessage = (envelope: Envelope): string =>
  JSON.stringify({
    'oslo.version': '2.0',
    'oslo.message': JSON.stringify({
      ...envelope,
      timestamp: osloTimestamp(envelope.timestamp),
      payload: evaluable(envelope.payload),
      _context: {},
    }),
  });
