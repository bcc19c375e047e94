/**
 * Records every request that may change something: before it is carried out, so that nothing is done that is not on
 * record, and once more with its result, before the caller learns of it. A request that cannot be recorded is refused.
 * Requests without a known caller change nothing and are only in the log, but for attempts to sign in, whose caller and
 * body are not recorded: a password may stand where the name belongs, and its digest can be guessed.
 */
import type { Request, RequestHandler, Response } from 'express';
import type { Logger } from 'pino';
import { gathered } from '../../calls/joined';
import { answerWithin } from '../../calls/time-limit';
import type { ActNotice, EventDraft, EventDrafts } from '../../events/drafts';
import { appendEventLocked } from '../../events/outbox';
import {
  type AuditedRequest,
  type AuditedResult,
  beginAuditEntries,
  endAuditEntries,
  type EndedEntry,
} from '../../prisma/audit/audit-entries';
import { type Database, inTransaction, lockSession } from '../../prisma/database';
import { isDatabaseAway } from '../../prisma/database-trouble';
import { requestInWords } from '../../rules/words/requests';
import { bodyDigestOf } from '../http/body-digest';
import { changesSomething } from '../http/changes-something';
import { requestIdOf } from '../http/log-requests';
import { sessionOfPath } from '../http/path-ids';
import { reasonOf } from '../http/reason-of-request';
import { templateOf } from '../http/refuse-other-methods';
import { pathToShow } from '../http/secret-paths';
import { principalIfKnown } from '../identity/authorization';
import type { Principal } from '../identity/identity';
import { notAudited } from '../problems/away-problems';

export interface Audit {
  begin(request: AuditedRequest): Promise<bigint>;
  end(id: bigint, result: ResultToRecord): Promise<void>;
}

export interface ResultToRecord extends AuditedResult {
  /** Told as an event of its session. Left out: nothing is told. */
  readonly act?: ActNotice;
}

/**
 * Requests that arrive at the same time are recorded together: a transaction costs far more than a row in it. A result
 * that is told as an act has a transaction of its own, because it waits for its session's lock.
 */
export const createStoredAudit = (db: Database, drafts: Pick<EventDrafts, 'act'>): Audit => {
  const begin = gathered<AuditedRequest, bigint>((requests) => beginAuditEntries(db, requests));
  const end = gathered<EndedEntry, true>(async (ended) => {
    await endAuditEntries(db, ended);
    return new Map(ended.map((entry) => [entry, true]));
  });
  return {
    async begin(request) {
      const id = await begin(request);
      if (id === undefined) throw new Error('a request has no entry in the audit');
      return id;
    },
    async end(id, { act, ...result }) {
      await (act === undefined ? end({ id, ...result }) : endAndTell(db, { id, ...result }, drafts.act(act)));
    },
  };
};

/** A session that is deleted meanwhile is told nothing any more. */
const endAndTell = (db: Database, ended: EndedEntry, event: EventDraft): Promise<void> =>
  inTransaction(db, async (tx) => {
    const isThere = await lockSession(tx, event.sessionId);
    const added = await endAuditEntries(tx, [ended]);
    if (isThere && added > 0) await appendEventLocked(tx, event);
  });

const createdSessions = new WeakMap<object, string>();

/** Names the session in the audit of the request that creates it. */
export const auditCreatedSession = (req: Request, sessionId: string): void => {
  createdSessions.set(req, sessionId);
};

const details = new WeakMap<object, string>();
const mostDetails = 500;

/** Says in few words what the body of a request asks for. Nothing secret belongs there. */
export const auditDetails = (req: Request, words: string): void => {
  details.set(req, words.slice(0, mostDetails));
};

const pathOf = (req: Request): string => req.baseUrl + req.path;

/** Longer paths belong to no endpoint. */
const mostCharacters = 1_000;

type Caller = Pick<AuditedRequest, 'role' | 'caller' | 'callerName' | 'projectId'>;

const describeCaller = (principal: Principal | undefined): Caller =>
  principal === undefined
    ? { role: 'nobody', caller: null, callerName: null, projectId: null }
    : {
        role: principal.kind,
        caller: principal.callerName ?? principal.caller ?? null,
        callerName: principal.personName ?? null,
        projectId: principal.kind === 'project' ? principal.projectId.text : null,
      };

const describeRequest = (req: Request): AuditedRequest => {
  const path = pathOf(req);
  return {
    requestId: requestIdOf(req),
    ...describeCaller(principalIfKnown(req)),
    reason: reasonOf(req) ?? null,
    address: req.socket.remoteAddress ?? null,
    method: req.method,
    route: templateOf(path) ?? null,
    path: pathToShow(path).slice(0, mostCharacters),
    sessionId: sessionOfPath(path) ?? null,
  };
};

interface Audited {
  readonly id: bigint;
  readonly request: AuditedRequest;
  readonly status: number;
}

/**
 * Requests of the specification are told by its own events, or not at all: consumers that know it alone must find what
 * it says. The additions of admins to a session are told as acts.
 */
const isAnAddition = ({ method, route }: AuditedRequest): boolean =>
  route?.startsWith('/v1/maintenance/{session_id}') === true && (method === 'PATCH' || method === 'POST');

const actOf = (request: AuditedRequest & { readonly details: string | null }): ActNotice | undefined => {
  const { role: by, sessionId, callerName, caller, reason } = request;
  if (by !== 'admin' || sessionId === null || !isAnAddition(request)) return undefined;
  return { sessionId, by, who: callerName ?? caller, did: requestInWords(request), reason };
};

/** Calls `last` before the answer is sent. Express sends every answer by one call of `end`. */
const beforeEnd = (res: Response, last: () => Promise<void>): void => {
  const end = res.end.bind(res) as (...given: unknown[]) => Response;
  const lastThenEnd = (...given: unknown[]): Response => {
    void last().finally(() => end(...given));
    return res;
  };
  res.end = lastThenEnd as Response['end'];
};

/** The caller waits for its answer meanwhile. */
const mostWaitMs = 2_000;

export const createAuditor = ({ audit, logger }: { readonly audit: Audit; readonly logger: Logger }) => {
  const begin = async (request: AuditedRequest): Promise<bigint> => {
    try {
      return await audit.begin(request);
    } catch (error) {
      // The reply to every request while the database is away.
      throw isDatabaseAway(error) ? error : notAudited(error);
    }
  };
  /** Nothing can be undone by now: the entry stays without a result, or gets it after the answer. */
  const end = async (req: Request, { id, request, status }: Audited): Promise<void> => {
    const sessionId = createdSessions.get(req) ?? null;
    const ended = { status, bodySha256: bodyDigestOf(req) ?? null, sessionId, details: details.get(req) ?? null };
    const act =
      status < 300
        ? actOf({ ...request, sessionId: sessionId ?? request.sessionId, details: ended.details })
        : undefined;
    const result = { ...ended, ...(act && { act }) };
    await answerWithin(audit.end(id, result), mostWaitMs).catch((error: unknown) => {
      const requestId = requestIdOf(req);
      logger.error({ err: error, requestId, status }, 'the result of a request could not be added to the audit');
    });
  };
  const record: RequestHandler = async (req, res, next) => {
    if (!changesSomething(req.method, templateOf(pathOf(req)))) {
      next();
      return;
    }
    const request = describeRequest(req);
    const id = await begin(request);
    beforeEnd(res, () => end(req, { id, request, status: res.statusCode }));
    next();
  };
  return record;
};
