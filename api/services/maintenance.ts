/**
 * An admin's requests about sessions. First the facts are written, in one transaction; then Temporal is told. When that
 * fails, the sweeper does it later: the request has been accepted, and the answer says so.
 */
import { randomUUID } from 'node:crypto';
import type { Logger } from 'pino';
import { waitAtMost } from '../../calls/time-limit';
import type { RequestOfHost } from '../../prisma/hosts/host-requests';
import { findSessionHosts, type HostRef } from '../../prisma/hosts/session-hosts';
import { type Extent, findSessionDetail } from '../../prisma/session/session-detail';
import { changeSteering, type SteeredSession } from '../../prisma/session/session-steering';
import {
  type ContinueRequest,
  type CreateRequest,
  createSession,
  type Creation,
  type EarlierCreation,
  findEarlierCreation,
  findSessionState,
  markSessionStarted,
  type NewSession,
  requestArchive,
  requestContinue,
  requestDelete,
} from '../../prisma/session/sessions';
import type { Release } from '../../rules/holds/hold';
import type { SessionRequest } from '../../rules/requests/session-request';
import type { WorkflowCalls } from '../../temporal/workflow-calls';
import { checkEviction, checkSteering } from '../parsing/check-steering';
import { changeIn, steeringIn } from '../parsing/steering';
import { notOver } from '../problems/archive-problems';
import { hostsInUse } from '../problems/hosts-problems';
import {
  bodyDoesNotFit,
  cannotContinue,
  keyUsedBefore,
  notChangeable,
  sessionNotFound,
  sessionNotThere,
  stateNotEntered,
  tooManySessions,
} from '../problems/problem-catalogue';
import type { CreateSessionBody, SessionCreatedBody } from '../schemas/session-schemas';
import type { ChangeSessionBody } from '../schemas/steering-schemas';
import { type NamedWhole, withProjectNames } from '../showing/name-projects';
import { checkRequest, type RequestRules } from './check-request';
import { requestOfHost, type SteeredHost } from './host-requests';
import { releaseHost } from './release-host';
import { type Requested, requestOfSession } from './session-requests';

export interface MaintenanceDeps extends RequestRules {
  readonly workflowCalls: WorkflowCalls;
  readonly maxSessions: number;
  readonly logger: Logger;
}

export interface Maintenance {
  /** @returns the new session, or the one that the same request has created before */
  create(body: CreateSessionBody, request?: CreateRequest): Promise<SessionCreatedBody>;
  state(sessionId: string): Promise<string>;
  detail(sessionId: string, extent?: Extent): Promise<NamedWhole>;
  /** @returns the state from which the session continues */
  continueFailed(sessionId: string, state: string | undefined): Promise<string>;
  request(sessionId: string, request: SessionRequest): Promise<Requested>;
  /** Changes how the session is steered; the answer says how it is now. */
  change(sessionId: string, body: ChangeSessionBody): Promise<SteeredSession>;
  requestOfHost(requested: RequestOfHost): Promise<SteeredHost>;
  releaseHost(ref: HostRef, release: Release): Promise<SteeredHost>;
  remove(sessionId: string): Promise<void>;
  /** @returns false: its hosts are given back first. @throws ApiError 404, 422 where it is not over */
  archive(sessionId: string): Promise<boolean>;
}

const assertCreated = (creation: Creation, { body, limit }: { body: CreateSessionBody; limit: number }): void => {
  if (creation.kind === 'tooMany') throw tooManySessions(limit);
  if (creation.kind === 'hostsTaken') throw hostsInUse(creation.taken, body);
};

const continuedState = (request: ContinueRequest, sessionId: string, asked: string | undefined): string => {
  switch (request.kind) {
    case 'accepted':
      return request.state;
    case 'unknown':
      throw sessionNotThere(sessionId);
    case 'refused':
      throw cannotContinue(request.because);
    case 'notEntered':
      throw stateNotEntered(asked ?? '', request.entered);
  }
};

/** The longest time, in milliseconds, that a client waits for its answer: its request is recorded already. */
const tellWithinMs = 9_000;

/** Tells Temporal. A failure, or no answer in time, is logged and left to the sweeper. */
const tell = async (
  { logger }: MaintenanceDeps,
  { what, sessionId }: { readonly what: string; readonly sessionId: string },
  act: () => Promise<void>,
): Promise<void> => {
  const told = act().catch((error: unknown) => {
    logger.error({ err: error, sessionId }, `${what} did not reach Temporal; the sweeper will do it`);
  });
  await waitAtMost(told, tellWithinMs);
};

/** Whoever looks for work in a freeze finds the reason in the log. */
const whyUnfrozen = ({ ignore_freezes: ignoreFreezes }: Pick<ChangeSessionBody, 'ignore_freezes'>) =>
  ignoreFreezes === undefined ? {} : { ignoreFreezes };

type CreatedSession = Pick<NewSession, 'sessionId' | 'workflow' | 'state' | 'maintenanceAt' | 'hosts'>;

const logCreated = (
  logger: Logger,
  { sessionId, workflow, state, maintenanceAt, hosts }: CreatedSession,
  body: CreateSessionBody,
): void => {
  const named = { hosts: hosts.length, firstHosts: hosts.slice(0, 20).map(({ hostname }) => hostname) };
  logger.info({ sessionId, workflow, state, maintenanceAt, ...named, ...whyUnfrozen(body) }, 'session created');
};

/** Also of a request that would not be accepted any more: its session is there, or was. */
const createOnce = async (
  deps: MaintenanceDeps,
  body: CreateSessionBody,
  request: CreateRequest | undefined,
): Promise<SessionCreatedBody> => {
  const earlier = request && (await findEarlierCreation(deps.db, request));
  const sessionId = earlier === undefined ? await create(deps, body, request) : repeatedSession(earlier);
  if (body.select === undefined) return { session_id: sessionId };
  const hosts = await findSessionHosts(deps.db, sessionId);
  return { session_id: sessionId, hosts: hosts.map(({ hostname }) => hostname) };
};

const repeatedSession = ({ kind, sessionId }: EarlierCreation): string => {
  if (kind === 'otherRequest') throw keyUsedBefore(sessionId);
  return sessionId;
};

const create = async (
  deps: MaintenanceDeps,
  body: CreateSessionBody,
  request: CreateRequest | undefined,
): Promise<string> => {
  const { db, workflowCalls, maxSessions } = deps;
  const sessionId = randomUUID();
  const session = {
    ...(await checkRequest(deps, body)),
    sessionId,
    metadata: body.metadata,
    steering: steeringIn(body),
    download: body.download ?? [],
    request,
  };
  const creation = await createSession(db, { session, maxSessions });
  if (creation.kind === 'repeated' || creation.kind === 'otherRequest') return repeatedSession(creation);
  assertCreated(creation, { body, limit: maxSessions });
  logCreated(deps.logger, session, body);
  await tell(deps, { what: 'the start', sessionId }, async () => {
    await workflowCalls.start(sessionId);
    await markSessionStarted(db, sessionId);
  });
  return sessionId;
};

const continueFailed = async (
  deps: MaintenanceDeps,
  { sessionId, state }: { readonly sessionId: string; readonly state: string | undefined },
): Promise<string> => {
  const request = await requestContinue(deps.db, { sessionId, state, requestId: randomUUID() });
  const continued = continuedState(request, sessionId, state);
  deps.logger.info({ sessionId, state: continued }, 'continuing after a failure requested');
  await tell(deps, { what: 'the continuation', sessionId }, () => deps.workflowCalls.continueFailed(sessionId));
  return continued;
};

const change = async (
  deps: MaintenanceDeps,
  { sessionId, body }: { readonly sessionId: string; readonly body: ChangeSessionBody },
): Promise<SteeredSession> => {
  const given = changeIn(body);
  const outcome = await changeSteering(deps.db, {
    sessionId,
    change: given,
    check: (session, now) => [...checkSteering({ ...session, given, now }, deps), ...checkEviction(given, deps.cloud)],
  });
  switch (outcome.kind) {
    case 'unknown':
      throw sessionNotFound(sessionId);
    case 'refused':
      throw notChangeable(sessionId, outcome.because, outcome.hint);
    case 'invalid':
      throw bodyDoesNotFit(outcome.errors);
    case 'changed':
      deps.logger.info({ sessionId, changed: Object.keys(body), ...whyUnfrozen(body) }, 'session changed');
      await deps.workflowCalls.wakeSession(sessionId);
      return outcome.session;
  }
};

const remove = async (deps: MaintenanceDeps, sessionId: string): Promise<void> => {
  const request = await requestDelete(deps.db, sessionId);
  if (request === 'unknown') throw sessionNotThere(sessionId);
  deps.logger.info({ sessionId }, 'delete requested');
  if (request === 'removed') deps.logger.info({ sessionId }, 'session removed');
  const { workflowCalls } = deps;
  const about = { what: 'the delete', sessionId };
  if (request === 'abort') await tell(deps, about, () => workflowCalls.abort(sessionId));
  if (request === 'cleanUp') await tell(deps, about, () => workflowCalls.startCleanup(sessionId));
};

const archive = async (deps: MaintenanceDeps, sessionId: string): Promise<boolean> => {
  const request = await requestArchive(deps.db, sessionId);
  if (request === 'unknown') throw sessionNotFound(sessionId);
  if (request === 'notOver') throw notOver(sessionId);
  deps.logger.info({ sessionId }, 'archive requested');
  if (request === 'cleanUp') {
    await tell(deps, { what: 'the archiving', sessionId }, () => deps.workflowCalls.startCleanup(sessionId));
  }
  return request === 'archived';
};

const found = <T>(value: T | undefined, sessionId: string): T => {
  if (value === undefined) throw sessionNotFound(sessionId);
  return value;
};

export const createMaintenance = (deps: MaintenanceDeps): Maintenance => ({
  create: (body, request) => createOnce(deps, body, request),
  state: async (sessionId) => found(await findSessionState(deps.db, sessionId), sessionId),
  detail: async (sessionId, extent) =>
    withProjectNames(deps.cloud, found(await findSessionDetail(deps.db, sessionId, extent), sessionId)),
  continueFailed: (sessionId, state) => continueFailed(deps, { sessionId, state }),
  change: (sessionId, body) => change(deps, { sessionId, body }),
  request: (sessionId, request) => requestOfSession(deps, { sessionId, request }),
  requestOfHost: (requested) => requestOfHost(deps, requested),
  releaseHost: (ref, release) => releaseHost(deps, ref, release),
  remove: (sessionId) => remove(deps, sessionId),
  archive: (sessionId) => archive(deps, sessionId),
});
