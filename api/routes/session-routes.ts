/**
 * The admin's endpoints for sessions (specification, Admin workflow session API). Those about one host of a session
 * follow from the list in rules/requests/host-request.ts, which decides what each does.
 */
import { type RequestHandler, type Response, Router } from 'express';
import { idOf } from '../../rules/cloud/id';
import { hostRequests } from '../../rules/requests/host-request';
import { requestIdentityOf } from '../http/idempotency-key';
import { findDifferingIds, parseSessionId } from '../http/path-ids';
import { replyWithEtag } from '../http/reply-with-etag';
import { createBodyParser } from '../http/schema-check';
import { asAdmin } from '../identity/authorization';
import { type DetailQuery, narrow, parseDetailQuery } from '../parsing/detail-query';
import { parseListQuery } from '../parsing/list-query';
import { bodyDoesNotFit, invalidCreateRequest } from '../problems/problem-catalogue';
import { ReleaseHostSchema, type SteeredHostBody } from '../schemas/host-request-schemas';
import { ContinueSessionSchema, CreateSessionSchema, SessionRequestSchema } from '../schemas/session-schemas';
import { type ChangeSessionBody, ChangeSessionSchema } from '../schemas/steering-schemas';
import { auditCreatedSession, auditDetails } from '../services/audit';
import type { SteeredHost } from '../services/host-requests';
import type { Maintenance } from '../services/maintenance';
import type { SessionTimelineOf } from '../services/session-timeline';
import type { Summaries } from '../services/summaries';
import { serializeInFlight } from '../showing/serialize-in-flight';
import { serializeSessionDetail } from '../showing/serialize-session';
import { serializeSteered } from '../showing/serialize-steering';
import type { AskingAgain } from '../waiting/questions-asked';

const serializeSteeredHost = ({ state, host, isChange }: SteeredHost): SteeredHostBody => ({
  session_id: host.sessionId,
  state,
  hostname: host.hostname,
  phase: host.phase,
  disabled: host.disabled,
  maintained: host.maintained,
  details: host.details,
  first_at: host.firstAt?.toISOString() ?? null,
  ignored_marks: [...host.ignoredMarks],
  changed: isChange,
});

const parseCreate = createBodyParser(CreateSessionSchema, invalidCreateRequest);
const parseContinueBody = createBodyParser(ContinueSessionSchema, bodyDoesNotFit);
const parseChangeBody = createBodyParser(ChangeSessionSchema, bodyDoesNotFit);
const parseRequestBody = createBodyParser(SessionRequestSchema, bodyDoesNotFit);
const parseRelease = createBodyParser(ReleaseHostSchema, bodyDoesNotFit);

const assertSessionOfPath = (body: { readonly session_id?: string }, sessionId: string): void => {
  const differing = findDifferingIds(body, { session_id: idOf(sessionId) });
  if (differing.length > 0) throw bodyDoesNotFit(differing);
};

const parseContinue = (sessionId: string, given: unknown): { readonly state: string | undefined } => {
  const body = parseContinueBody(given);
  assertSessionOfPath(body, sessionId);
  return { state: body.state };
};

const parseChange = (sessionId: string, given: unknown): ChangeSessionBody => {
  const { session_id: named, ...change } = parseChangeBody(given);
  assertSessionOfPath({ ...(named !== undefined && { session_id: named }) }, sessionId);
  return change;
};

interface SessionRoutesDeps {
  readonly maintenance: Maintenance;
  readonly summaries: Summaries;
  readonly timeline: SessionTimelineOf;
  readonly settings: AskingAgain;
  readonly readBody: readonly RequestHandler[];
}

export const createSessionRoutes = (deps: SessionRoutesDeps): Router => {
  const router = Router();
  addReads(router, deps);
  addChanges(router, deps);
  addRequests(router, deps);
  addArchive(router, deps);
  return router;
};

const addReads = (router: Router, deps: SessionRoutesDeps): void => {
  const { maintenance, summaries } = deps;
  router.get('/maintenance', asAdmin, async (req, res) => {
    const sessions = await summaries.list(parseListQuery(req.query));
    res.json({ session_id: sessions.map(({ session_id }) => session_id), sessions });
  });
  router.get('/maintenance/:session_id', asAdmin, async (req, res) => {
    const sessionId = parseSessionId(req.params);
    res.json({ state: await maintenance.state(sessionId) });
  });
  router.get('/maintenance/:session_id/detail', asAdmin, async (req, res) => {
    await replyWithDetail(deps, res, { sessionId: parseSessionId(req.params), ...parseDetailQuery(req.query) });
  });
  router.get('/maintenance/:session_id/timeline', asAdmin, async (req, res) => {
    const { body, now } = await deps.timeline(parseSessionId(req.params));
    replyWithEtag(res, body, now);
  });
};

interface AskedDetail extends DetailQuery {
  readonly sessionId: string;
}

const replyWithDetail = async (
  { maintenance, summaries, settings }: SessionRoutesDeps,
  res: Response,
  { sessionId, view, narrowing }: AskedDetail,
): Promise<void> => {
  if (view === 'summary') {
    const summary = await summaries.ofSession(sessionId);
    replyWithEtag(res, summary, new Date(summary.now));
    return;
  }
  const found = await maintenance.detail(sessionId, view === 'hosts' ? 'underWay' : 'whole');
  const detail = serializeSessionDetail(found, { ...settings, turns: await summaries.turnsIn(found) });
  replyWithEtag(res, narrowing ? narrow(detail, narrowing) : detail, found.now);
};

const addChanges = (router: Router, { maintenance, readBody }: SessionRoutesDeps): void => {
  router.post('/maintenance', asAdmin, ...readBody, async (req, res) => {
    const body = parseCreate(req.body);
    const created = await maintenance.create(body, requestIdentityOf(req, body));
    auditCreatedSession(req, created.session_id);
    res.json(created);
  });
  router.put('/maintenance/:session_id', asAdmin, ...readBody, async (req, res) => {
    const sessionId = parseSessionId(req.params);
    const { state } = parseContinue(sessionId, req.body);
    if (state !== undefined) auditDetails(req, `from ${state}`);
    res.json({ session_id: sessionId, state: await maintenance.continueFailed(sessionId, state) });
  });
  router.patch('/maintenance/:session_id', asAdmin, ...readBody, async (req, res) => {
    const sessionId = parseSessionId(req.params);
    const change = parseChange(sessionId, req.body);
    auditDetails(
      req,
      Object.entries(change)
        .map(([name, value]) => `${name}=${JSON.stringify(value)}`)
        .join(', '),
    );
    res.json(serializeSteered(await maintenance.change(sessionId, change)));
  });
  router.delete('/maintenance/:session_id', asAdmin, async (req, res) => {
    await maintenance.remove(parseSessionId(req.params));
    res.status(200).end();
  });
};

const addArchive = (router: Router, { maintenance, readBody }: SessionRoutesDeps): void => {
  router.post('/maintenance/:session_id/archive', asAdmin, ...readBody, async (req, res) => {
    const sessionId = parseSessionId(req.params);
    assertSessionOfPath(parseRequestBody(req.body), sessionId);
    res.json({ session_id: sessionId, archived: await maintenance.archive(sessionId) });
  });
};

const addRequests = (router: Router, { maintenance, readBody }: SessionRoutesDeps): void => {
  for (const request of ['pause', 'resume', 'abort'] as const) {
    router.post(`/maintenance/:session_id/${request}`, asAdmin, ...readBody, async (req, res) => {
      const sessionId = parseSessionId(req.params);
      assertSessionOfPath(parseRequestBody(req.body), sessionId);
      res.json(serializeInFlight(sessionId, await maintenance.request(sessionId, request)));
    });
  }
  for (const request of hostRequests) {
    router.post(`/maintenance/:session_id/hosts/:hostname/${request}`, asAdmin, ...readBody, async (req, res) => {
      const sessionId = parseSessionId(req.params);
      assertSessionOfPath(parseRequestBody(req.body), sessionId);
      const hostname = String(req.params['hostname']);
      res.json(serializeSteeredHost(await maintenance.requestOfHost({ sessionId, hostname, request })));
    });
  }
  addRelease(router, { maintenance, readBody });
};

const addRelease = (
  router: Router,
  { maintenance, readBody }: Pick<SessionRoutesDeps, 'maintenance' | 'readBody'>,
): void => {
  router.post('/maintenance/:session_id/hosts/:hostname/release', asAdmin, ...readBody, async (req, res) => {
    const sessionId = parseSessionId(req.params);
    const { outcome, note = '', ...named } = parseRelease(req.body);
    assertSessionOfPath(named, sessionId);
    auditDetails(req, note === '' ? outcome : `${outcome}, ${note}`);
    const hostname = String(req.params['hostname']);
    res.json(serializeSteeredHost(await maintenance.releaseHost({ sessionId, hostname }, { outcome, note })));
  });
};
