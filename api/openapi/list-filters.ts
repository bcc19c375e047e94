/** The list of sessions with its filters (api/parsing/list-query.ts). */
import { SessionListSchema } from '../schemas/session-schemas';
import { body, type DocumentedParameter, type Operation } from './documented-endpoint';

const listFilters: readonly DocumentedParameter[] = [
  { name: 'state', description: 'Only sessions with this `progress`, or one of several separated by commas' },
  { name: 'since', description: 'Only sessions that go on, or were created or ended from this time on (ISO 8601)' },
  { name: 'host', description: 'Only sessions with this host; * and ? stand for any text and one character' },
  { name: 'name', description: 'Only sessions with this text in their name' },
  { name: 'archived', description: 'true: the archived sessions, in place of the others' },
];

export const listOperation: Operation = {
  method: 'get',
  path: '/v1/maintenance',
  id: 'listSessions',
  summary: 'List the sessions that are neither deleted nor archived; a query narrows them. An addition: the query',
  tag: 'Sessions',
  access: 'admin',
  query: listFilters,
  response: body('SessionList', SessionListSchema),
  errors: [400, 422, 500],
};
