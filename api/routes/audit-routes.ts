/** The audit for admins: an addition to the interface. */
import { Router } from 'express';
import { formats } from '../../forms/field-types';
import { parseMaintenanceAt } from '../../forms/parse-maintenance-at';
import { type AuditQuery, type AuditRecord, findAuditEntries } from '../../prisma/audit/audit-entries';
import type { Database } from '../../prisma/database';
import { dashedUuid, idOf, isUuid, uuidMeaning } from '../../rules/cloud/id';
import { requestInWords } from '../../rules/words/requests';
import { asAdmin } from '../identity/authorization';
import { invalidQuery } from '../problems/problem-catalogue';
import type { AuditEntryBody } from '../schemas/audit-schemas';

const usualEntries = 100;
const mostEntries = 1_000;

type Parameter = 'caller' | 'session_id' | 'since' | 'before' | 'limit';

/** The parameters of the query, with what they must be. */
const rules: Readonly<Record<Parameter, { readonly fits: (text: string) => boolean; readonly meaning: string }>> = {
  caller: { fits: (text) => text !== '', meaning: 'a caller as the entries name it' },
  session_id: { fits: isUuid, meaning: uuidMeaning },
  since: { fits: formats['maintenance-time'].check, meaning: formats['maintenance-time'].meaning },
  before: { fits: (text) => /^\d{1,18}$/.test(text), meaning: '`next` of the page before' },
  limit: {
    fits: (text) => /^\d{1,4}$/.test(text) && Number(text) >= 1 && Number(text) <= mostEntries,
    meaning: `a whole number from 1 to ${mostEntries}`,
  },
};

const isParameter = (name: string): name is Parameter => name in rules;

const parseParameters = (query: Readonly<Record<string, unknown>>): Partial<Record<Parameter, string>> => {
  const errors = Object.entries(query).flatMap(([name, value]) => {
    if (!isParameter(name)) return [{ pointer: `#query/${name}`, message: 'is not a parameter of this endpoint' }];
    const { fits, meaning } = rules[name];
    const isFit = typeof value === 'string' && fits(value);
    return isFit ? [] : [{ pointer: `#query/${name}`, message: `must be ${meaning}` }];
  });
  if (errors.length > 0) throw invalidQuery(errors);
  return query;
};

/** @throws ApiError 400 */
export const parseAuditQuery = (query: Readonly<Record<string, unknown>>): AuditQuery => {
  const { caller, session_id: sessionId, since, before, limit } = parseParameters(query);
  const sinceTime = since === undefined ? undefined : parseMaintenanceAt(since);
  return {
    limit: limit === undefined ? usualEntries : Number(limit),
    ...(caller !== undefined && { caller }),
    ...(sessionId !== undefined && { sessionId: dashedUuid(idOf(sessionId).key) }),
    ...(sinceTime !== undefined && { since: sinceTime }),
    ...(before !== undefined && { before: BigInt(before) }),
  };
};

const serialize = (entry: AuditRecord): AuditEntryBody => ({
  id: String(entry.id),
  begun_at: entry.begunAt.toISOString(),
  request_id: entry.requestId,
  role: entry.role,
  caller: entry.caller,
  caller_name: entry.callerName,
  reason: entry.reason,
  project_id: entry.projectId,
  address: entry.address,
  method: entry.method,
  route: entry.route,
  path: entry.path,
  session_id: entry.sessionId,
  body_sha256: entry.bodySha256,
  details: entry.details,
  did: requestInWords(entry),
  status: entry.status,
  ended_at: entry.endedAt?.toISOString() ?? null,
});

export const createAuditRoutes = (db: Database): Router => {
  const router = Router();
  router.get('/audit', asAdmin, async (req, res) => {
    const query = parseAuditQuery(req.query);
    // One more than asked for tells whether there is another page.
    const found = await findAuditEntries(db, { ...query, limit: query.limit + 1 });
    const entries = found.slice(0, query.limit);
    const next = found.length > query.limit ? String(entries.at(-1)?.id) : null;
    res.json({ entries: entries.map(serialize), next });
  });
  return router;
};
