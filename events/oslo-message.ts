/**
 * An event as oslo.messaging sends a notification over Kafka, so that its consumers (telemetry services among them)
 * take it: the envelope with an empty `_context`, as JSON text within JSON.
 *
 * Such consumers turn lists and dictionaries of a payload into text that clients evaluate as Python or as YAML. The two
 * do not agree on true, false and null, so these become what both read alike and what counts the same: 1, 0 and ''.
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

/** `YYYY-MM-DD HH:MM:SS.ffffff` in UTC; ours have milliseconds. */
const osloTimestamp = (isoTime: string): string => isoTime.replace('T', ' ').replace('Z', '000');

/** The text of the Kafka message. */
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
