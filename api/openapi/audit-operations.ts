/** The endpoint of the audit: an addition to the interface. */
import { AuditPageSchema } from '../schemas/audit-schemas';
import { SessionMovesSchema } from '../schemas/move-schemas';
import { SessionRecordSchema } from '../schemas/record-schemas';
import { SessionReportSchema } from '../schemas/report-schemas';
import { SessionTenantsSchema } from '../schemas/tenant-schemas';
import { body, type Operation } from './documented-endpoint';

export const auditOperations: readonly Operation[] = [
  {
    method: 'get',
    path: '/v1/audit',
    id: 'listAuditEntries',
    summary: 'Read who asked for which change when, and what came of it, newest first. An addition',
    tag: 'Audit',
    access: 'admin',
    query: [
      { name: 'caller', description: 'Only entries of this caller' },
      { name: 'session_id', description: 'Only entries of this session' },
      { name: 'since', description: 'Only entries from this time on (ISO 8601)' },
      { name: 'before', description: 'The page after the one with this `next`' },
      { name: 'limit', description: 'At most this many entries, from 1 to 1000; 100 unless told' },
    ],
    response: body('AuditPage', AuditPageSchema),
    errors: [400, 500],
  },
  {
    method: 'get',
    path: '/v1/maintenance/{session_id}/record',
    id: 'getRecord',
    summary:
      'Read who did what in the session, when and why: the requests that were carried out, and the answers that nobody ' +
      'sent. An addition',
    tag: 'Audit',
    access: 'admin',
    response: body('SessionRecord', SessionRecordSchema),
    errors: [400, 404, 500],
  },
  {
    method: 'get',
    path: '/v1/maintenance/{session_id}/tenants',
    id: 'getTenants',
    summary:
      'Get whom to ask about the session: who is waited for, its contact, and how often it stayed silent. An addition',
    tag: 'Audit',
    access: 'admin',
    response: body('SessionTenants', SessionTenantsSchema),
    errors: [400, 404, 500],
  },
  {
    method: 'get',
    path: '/v1/maintenance/{session_id}/moves',
    id: 'listMoves',
    summary:
      'List the moves of the session that have begun, with how they ended; its plan has those to come. An addition',
    tag: 'Audit',
    access: 'admin',
    query: [
      {
        name: 'since',
        description:
          'Only moves that were not over at this time (ISO 8601): those under way, and what has changed since',
      },
    ],
    response: body('SessionMoves', SessionMovesSchema),
    errors: [400, 404, 500],
  },
  {
    method: 'get',
    path: '/v1/maintenance/{session_id}/report',
    id: 'getReport',
    summary: 'Get the report of the session for a change ticket: its hosts, its tenants, and who did what. An addition',
    tag: 'Audit',
    access: 'admin',
    query: [{ name: 'format', description: 'json, unless told; md, html to print, or csv with a line for each host' }],
    response: body('SessionReport', SessionReportSchema),
    errors: [400, 404, 500],
  },
];
