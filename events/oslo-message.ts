/**
 * An event in the form in which oslo.messaging sends a notification over Kafka, so that its consumers (telemetry
 * services among them) can read it: the envelope with an empty `_context`, as JSON text within JSON.
 */
import type { Envelope } from './envelope';
import { evaluable } from './evaluable';

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
