/**
 * The refusals of the API: status, stable code, and a hint that says what to do. away-problems.ts has the refusals that
 * pass by themselves.
 */
import type { HostRequestRefusal } from '../../rules/requests/host-request';
import { ApiError, type FieldError } from './problem';

/** Refuses a body with the faults of its fields. */
export type RefuseFields = (errors: readonly FieldError[]) => ApiError;

export const fieldsHint = 'correct the fields named in errors; /docs shows the schema and an example';

/** Faults of a create request are 400: the specification lists no 422 there. */
export const invalidCreateRequest: RefuseFields = (errors) =>
  new ApiError({
    status: 400,
    code: 'INVALID_REQUEST',
    detail: 'the maintenance session cannot be created as requested; nothing was stored',
    errors,
    hint: fieldsHint,
  });

export const bodyDoesNotFit: RefuseFields = (errors) =>
  new ApiError({
    status: 422,
    code: 'BODY_DOES_NOT_FIT',
    detail: 'the body is not in line with the resource schema; nothing was changed',
    errors,
    hint: fieldsHint,
  });

export const invalidQuery: RefuseFields = (errors) =>
  new ApiError({
    status: 400,
    code: 'INVALID_REQUEST',
    detail: 'the request has a wrong query parameter or header',
    errors,
    hint: 'correct what is named in errors; /docs lists what the endpoint takes',
  });

export const unknownFilters = (unknown: readonly string[], known: readonly string[]): ApiError =>
  new ApiError({
    status: 422,
    code: 'UNKNOWN_FILTER',
    detail: 'the query has a filter that the list does not have; nothing is listed',
    errors: unknown.map((name) => ({ pointer: `#query/${name}`, message: 'is not known' })),
    hint: `use the filters ${known.join(', ')}`,
  });

export const malformedId = (name: string, expected: string): ApiError =>
  new ApiError({
    status: 400,
    code: 'MALFORMED_ID',
    detail: `the path's ${name} is not ${expected}`,
    errors: [{ pointer: `#path/${name}`, message: `must be ${expected}` }],
    hint: `put ${expected} into the path`,
  });

export const malformedJson = (reason: string): ApiError =>
  new ApiError({
    status: 400,
    code: 'MALFORMED_JSON',
    detail: `the body is not JSON: ${reason}`,
    hint: 'send a JSON object in UTF-8',
  });

/** JSON allows any number, but readers, including this service's, have doubles. */
export const inexactNumber = (written: string): ApiError => {
  const shown = written.length > 60 ? `${written.slice(0, 59)}…` : written;
  return new ApiError({
    status: 400,
    code: 'INEXACT_NUMBER',
    detail: `the body has the number ${shown}, which cannot be stored exactly; nothing was stored`,
    hint: 'send a number that fits a double, an integer up to 9007199254740991, or the digits as a string',
  });
};

export const unreadableRequest = (reason: string): ApiError =>
  new ApiError({
    status: 400,
    code: 'UNREADABLE_REQUEST',
    detail: `the request cannot be read: ${reason}`,
    hint: 'send the body as JSON in UTF-8, and percent-encode the path',
  });

export const wrongContentType = (given: string | undefined): ApiError =>
  new ApiError({
    status: 400,
    code: 'WRONG_CONTENT_TYPE',
    detail: given === undefined ? 'the body has no content type' : 'the body is not declared as JSON',
    hint: 'send the header Content-Type: application/json',
  });

export const bodyTooLarge = (limitBytes: number): ApiError =>
  new ApiError({
    status: 400,
    code: 'BODY_TOO_LARGE',
    detail: `the body is larger than ${limitBytes} bytes`,
    hint: 'send a smaller body, or raise the setting PARLEY_BODY_LIMIT of the service',
  });

/** 400: the specification lists no 422 for a create request. */
export const keyUsedBefore = (sessionId: string): ApiError =>
  new ApiError({
    status: 400,
    code: 'IDEMPOTENCY_KEY_USED',
    detail: `the Idempotency-Key belongs to another request, which created session ${sessionId}; nothing was stored`,
    errors: [{ pointer: '#header/Idempotency-Key', message: 'was sent before, with another body' }],
    hint: 'send a new key for a new session; repeat a request with exactly its body',
  });

export const tooManySessions = (limit: number): ApiError =>
  new ApiError({
    status: 509,
    code: 'TOO_MANY_SESSIONS',
    detail: `at most ${limit} unfinished maintenance sessions may exist at once; failed ones count`,
    hint: 'wait for a session to end, delete a failed one, or raise the setting PARLEY_MAX_SESSIONS of the service',
  });

const unauthenticated = (detail: string, hint: string, challenge = 'Bearer realm="parley"'): ApiError =>
  new ApiError({ status: 401, code: 'NOT_AUTHENTICATED', detail, hint, headers: { 'WWW-Authenticate': challenge } });

export const notAuthenticated = (detail: string): ApiError =>
  unauthenticated(detail, 'send a token of the service in the header X-Auth-Token, or as Authorization: Bearer');

/** Refuses a request without a token that Keystone issues. */
export const noKeystoneToken = (detail: string, authUrl: string): ApiError =>
  unauthenticated(
    detail,
    'get a token from Keystone and send it in the header X-Auth-Token, or as Authorization: Bearer',
    `Keystone uri="${authUrl}"`,
  );

/** Refuses a request without a token of an OpenID Connect issuer. */
export const noIssuedToken = (detail: string, issuer: string): ApiError =>
  unauthenticated(
    detail,
    `get a token for this service from ${issuer} and send it as Authorization: Bearer, or in X-Auth-Token`,
  );

/** Refuses a request without a token of the Kubernetes cluster. */
export const noClusterToken = (detail: string): ApiError =>
  unauthenticated(
    detail,
    'get a token from the cluster, such as kubectl --namespace NAMESPACE create token SERVICEACCOUNT, and send it as ' +
      'Authorization: Bearer, or in X-Auth-Token',
  );

/** @param because in Keystone's words, which hold no password */
export const signInRefused = (because: string, authUrl: string): ApiError =>
  new ApiError({
    status: 401,
    code: 'SIGN_IN_REFUSED',
    detail: `Keystone does not let the user in ${because}`,
    hint:
      'check user, password, project and their domains; Keystone may lock a user for a while after too many attempts; ' +
      'or get a token by another way (openstack token issue) and sign in with that',
    headers: { 'WWW-Authenticate': `Keystone uri="${authUrl}"` },
  });

export const noPasswordSignIn = (identity: string): ApiError =>
  new ApiError({
    status: 422,
    code: 'NO_PASSWORD_SIGN_IN',
    detail: `this service takes no user and password: its PARLEY_AUTH is ${identity}`,
    hint: 'GET /v1/sign-in lists the ways to sign in',
  });

/** The token is good, but gives no rights here. */
export const tokenWithoutRights = (detail: string, hint: string): ApiError =>
  new ApiError({ status: 403, code: 'TOKEN_WITHOUT_RIGHTS', detail, hint });

const shownHeader = (text: string): string => JSON.stringify(text.length > 60 ? `${text.slice(0, 59)}…` : text);

export const unknownHost = (host: string): ApiError =>
  new ApiError({
    status: 403,
    code: 'UNKNOWN_HOST',
    detail: `the request is addressed to ${shownHeader(host)}, which is neither this machine nor the service's address`,
    hint:
      'while PARLEY_AUTH is none, address it to localhost, 127.0.0.1 or [::1], or to the host of the setting ' +
      'PARLEY_BASE_URL',
  });

export const foreignOrigin = (origin: string): ApiError =>
  new ApiError({
    status: 403,
    code: 'FOREIGN_ORIGIN',
    detail: `the request comes from a web page of ${shownHeader(origin)}; nothing was changed`,
    hint: 'while PARLEY_AUTH is none, only pages of the service itself (/docs) may change something',
  });

export const adminOnly = (): ApiError =>
  new ApiError({
    status: 403,
    code: 'ADMIN_ONLY',
    detail: 'only an infrastructure admin may do this',
    hint: 'use a token whose role is admin',
  });

export const notYourProject = (what: string): ApiError =>
  new ApiError({
    status: 403,
    code: 'NOT_YOUR_PROJECT',
    detail: `${what} another project`,
    hint: "use a token of that project, or an admin's",
  });

const sessionUnknown = (status: 404 | 422, sessionId: string): ApiError =>
  new ApiError({
    status,
    code: 'SESSION_NOT_FOUND',
    detail: `there is no maintenance session ${sessionId}`,
    hint: 'GET /v1/maintenance lists the sessions; a deleted one is gone',
  });

export const sessionNotFound = (sessionId: string): ApiError => sessionUnknown(404, sessionId);

/** Answers for the endpoints for which the specification lists no 404. */
export const sessionNotThere = (sessionId: string): ApiError => sessionUnknown(422, sessionId);

/** Points to the session of the request, where its state is what is wrong. */
const sessionInPath = '#path/session_id';

export const cannotContinue = (because: string): ApiError =>
  new ApiError({
    status: 422,
    code: 'NOT_RESUMABLE',
    detail: `the session cannot continue: ${because}`,
    errors: [{ pointer: sessionInPath, message: because }],
    hint: 'only a session in state MAINTENANCE_FAILED that is neither continuing nor deleted already can continue',
  });

/** Refuses pause, resume and abort of a session that does not run. */
export const notRunning = (
  { request, sessionId }: { readonly request: string; readonly sessionId: string },
  because: string,
  hint: string,
): ApiError =>
  new ApiError({
    status: 422,
    code: 'NOT_RUNNING',
    detail: `session ${sessionId} cannot do this (${request}): ${because}; nothing was changed`,
    errors: [{ pointer: sessionInPath, message: because }],
    hint,
  });

export const hostNotInSession = (hostname: string, sessionId: string): ApiError =>
  new ApiError({
    status: 404,
    code: 'HOST_NOT_FOUND',
    detail: `session ${sessionId} has no host ${hostname}`,
    errors: [{ pointer: '#path/hostname', message: 'must be a host of the session' }],
    hint: "GET /v1/maintenance/{session_id}/detail lists the session's hosts",
  });

const pointers = { host: '#path/hostname', session: sessionInPath } as const;

export const hostNotSteered = (
  { request, hostname }: { readonly request: string; readonly hostname: string },
  { about, because, hint, begun }: HostRequestRefusal & { readonly begun: readonly string[] },
): ApiError =>
  new ApiError({
    status: 422,
    code: 'HOST_NOT_STEERABLE',
    detail: `host ${hostname} cannot do this (${request}): ${because}; nothing was changed`,
    errors: [because, ...begun].map((message) => ({ pointer: pointers[about], message })),
    hint,
  });

export const notChangeable = (sessionId: string, because: string, hint: string): ApiError =>
  new ApiError({
    status: 422,
    code: 'NOT_CHANGEABLE',
    detail: `session ${sessionId} cannot be changed: ${because}; nothing was changed`,
    errors: [{ pointer: sessionInPath, message: because }],
    hint,
  });

export const stateNotEntered = (state: string, entered: readonly string[]): ApiError =>
  new ApiError({
    status: 422,
    code: 'STATE_NOT_ENTERED',
    detail: `the session was never in state ${state}`,
    errors: [
      { pointer: '/state', message: `must be a state that was entered: ${entered.join(', ') || 'none was entered'}` },
    ],
    hint: 'name one of these states, or none to continue from the previous state',
  });

export const replyRefused = (refusal: {
  readonly code: string;
  readonly because: string;
  readonly pointer: string;
  readonly hint: string;
}): ApiError =>
  new ApiError({
    status: 422,
    code: refusal.code,
    detail: refusal.because,
    errors: [{ pointer: refusal.pointer, message: refusal.because }],
    hint: refusal.hint,
  });

export const instanceConstraintsNotFound = (instanceId: string): ApiError =>
  new ApiError({
    status: 404,
    code: 'CONSTRAINTS_NOT_FOUND',
    detail: `no constraints are stored for instance ${instanceId}`,
    hint: 'store them with PUT /v1/instance/{instance_id}',
  });

export const termsNotFound = (projectId: string): ApiError =>
  new ApiError({
    status: 404,
    code: 'TERMS_NOT_FOUND',
    detail: `no terms are stored for project ${projectId}`,
    hint: 'store them with PUT /v1/projects/{project_id}/terms',
  });

export const termsNotTold = (projectId: string): ApiError =>
  new ApiError({
    status: 404,
    code: 'TERMS_NOT_FOUND',
    detail: `project ${projectId} tells the cloud no terms`,
    hint: 'on Kubernetes, write them into the annotation parley.maintenance/terms of the namespace',
  });

/** 422, because the specification lists no 404 for groups. */
export const groupConstraintsNotThere = (groupId: string): ApiError =>
  new ApiError({
    status: 422,
    code: 'CONSTRAINTS_NOT_FOUND',
    detail: `no constraints are stored for instance group ${groupId}`,
    hint: 'store them with PUT /v1/instance_group/{group_id}',
  });
