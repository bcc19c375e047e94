/** An event as words. */
import { withShortIds } from './names';

type Payload = Readonly<Record<string, unknown>>;

const text = (value: unknown): string => (typeof value === 'string' || typeof value === 'number' ? String(value) : '');

/** The ID of the session that the event is about. */
export const sessionOf = (payload: Payload): string => text(payload['session_id']);

/** What admins call it; events for projects have none. */
export const sessionNameOf = (payload: Payload): string => text(payload['session_name']);

export const eventInWords = (type: string, payload: Payload): string => {
  const state = text(payload['state']);
  switch (type) {
    case 'maintenance.host':
      return `host ${text(payload['host'])} ${state}`;
    case 'maintenance.session':
      return `session ${state}, ${text(payload['percent_done'])} %`;
    case 'maintenance.planned':
      return `project ${withShortIds(text(payload['project_id']))} is ${verbOf(state)} ${state}${instancesIn(payload['instance_ids'])}`;
    case 'maintenance.coming':
      return `project ${withShortIds(text(payload['project_id']))} is told what is coming for ${countOf(payload['coming'])}`;
    default:
      return `${type} ${state}`;
  }
};

/** The result of an action is no question. */
const verbOf = (state: string): string => (state.startsWith('INSTANCE_ACTION_') ? 'told' : 'asked');

const instancesIn = (ids: unknown): string => {
  if (Array.isArray(ids))
    return ids.length === 1 ? ` about ${withShortIds(String(ids[0]))}` : ` about ${ids.length} instances`;
  return '';
};

const countOf = (entries: unknown): string =>
  Array.isArray(entries) && entries.length !== 1 ? `${entries.length} instances` : '1 instance';
