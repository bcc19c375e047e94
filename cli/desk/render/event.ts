/** An event as one line: time, session, and who it is about. */
import type { ReceivedEvent } from '../event-stream';
import { printable, shortId } from './words';

const text = (value: unknown): string => (typeof value === 'string' || typeof value === 'number' ? String(value) : '');

/** @param isOfOne the session need not be named */
export const eventLine = ({ type, envelope }: ReceivedEvent, isOfOne = false): string => {
  const { timestamp, payload } = envelope;
  const session = isOfOne ? [] : [shortId(text(payload['session_id']))];
  return printable([timestamp.slice(11, 19), ...session, wordsOf(type, payload)].join('  '));
};

const wordsOf = (type: string, payload: Readonly<Record<string, unknown>>): string => {
  const state = text(payload['state']);
  switch (type) {
    case 'maintenance.host':
      return `host ${text(payload['host'])} ${state}`;
    case 'maintenance.session':
      return `session ${state}, ${text(payload['percent_done'])} %`;
    case 'maintenance.planned':
      return `project ${text(payload['project_id'])} is asked ${state}${instancesIn(payload['instance_ids'])}`;
    default:
      return `${type} ${state}`;
  }
};

const instancesIn = (ids: unknown): string => {
  if (Array.isArray(ids)) return ids.length === 1 ? ` about ${String(ids[0])}` : ` about ${ids.length} instances`;
  return '';
};
