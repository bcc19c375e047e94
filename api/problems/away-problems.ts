/** Refusals while a part that the service needs is down: the same request may succeed a while later. */
import { helpForRight } from '../../rules/obstacles/missing-right';
import { ApiError } from './problem';

/** 500 and not 503: the specification lists it for every endpoint. The log has the cause. */
export const identityUnknown = (judge: string): ApiError =>
  new ApiError({
    status: 500,
    code: 'IDENTITY_UNKNOWN',
    detail: `${judge} could not say whose token this is, so nothing was done`,
    hint: `repeat the request in a while; /readyz and the service's log say what is wrong with ${judge}`,
    headers: { 'Retry-After': '5' },
  });

/** The log has the cause under the request's ID; it holds no token. */
export const issuerAway = (cause: unknown): ApiError =>
  new ApiError(
    {
      status: 503,
      code: 'ISSUER_AWAY',
      detail: 'the issuer of tokens does not answer, so nobody can be identified; nothing was done',
      hint: "repeat the request in a while; /readyz and the service's log say what is wrong with the issuer",
      headers: { 'Retry-After': '5' },
    },
    { cause },
  );

/** The log has the cause under the request's ID; it holds no password. */
export const keystoneAway = (cause: unknown): ApiError =>
  new ApiError(
    {
      status: 503,
      code: 'KEYSTONE_AWAY',
      detail: 'Keystone does not answer, so nobody can sign in with user and password',
      hint: 'repeat the request in a while; /readyz says whether Keystone answers',
      headers: { 'Retry-After': '5' },
    },
    { cause },
  );

/** The number of requests to Keystone at once is limited, because anybody may try to sign in. */
export const signInBusy = (): ApiError =>
  new ApiError({
    status: 503,
    code: 'SIGN_IN_BUSY',
    detail: 'as many people are signing in as the service lets sign in at once',
    hint: 'repeat the request in a while',
    headers: { 'Retry-After': '2' },
  });

/** Anybody may try to sign in, and each attempt is an entry of the audit. */
export const tooManySignIns = (): ApiError =>
  new ApiError({
    status: 503,
    code: 'SIGN_IN_BUSY',
    detail: 'as many people have tried to sign in as the service lets try within a minute',
    hint: 'repeat the request in a minute, or send a token that you have',
    headers: { 'Retry-After': '60' },
  });

/** One caller leaves room for the others (PARLEY_CALLS_PER_MINUTE). */
export const tooManyCalls = (callsPerMinute: number, retrySeconds: number): ApiError =>
  new ApiError({
    status: 429,
    code: 'TOO_MANY_CALLS',
    detail: `this caller has sent the ${callsPerMinute} requests that a caller may send within a minute; nothing was done`,
    hint: 'repeat the request after the seconds of Retry-After; replies to questions are always taken',
    headers: { 'Retry-After': String(retrySeconds) },
  });

/** One caller leaves connections for the others (PARLEY_STREAMS_PER_CALLER). */
export const tooManyStreams = (most: number): ApiError =>
  new ApiError({
    status: 429,
    code: 'TOO_MANY_STREAMS',
    detail: `this caller has ${most} open event streams, as many as a caller may have`,
    hint: 'close a stream that nobody reads; one stream may serve many readers',
    headers: { 'Retry-After': '60' },
  });

/**
 * The answer to a COMMIT may be lost, so nobody knows whether a change was recorded. It may be repeated: its client
 * then learns of the first one from the hosts in use, or from the same answer.
 */
export const notRecorded = (method: string): ApiError =>
  new ApiError({
    status: 503,
    code: 'NOT_RECORDED',
    ...(isRead(method)
      ? {
          detail: 'the database does not answer, so the request has no answer',
          hint: 'repeat the request in a while; /readyz says whether the database answers',
        }
      : {
          detail:
            'the database does not answer, so it is unknown whether the request was recorded; most likely it was not',
          hint: 'once /readyz says that the database answers, look at what the request is about, or repeat it: a POST that creates a session with the same Idempotency-Key',
        }),
    headers: { 'Retry-After': '5' },
  });

const isRead = (method: string): boolean => method === 'GET' || method === 'HEAD';

/** Nothing is done that is not on record. The log has the cause under the request's ID. */
export const notAudited = (cause: unknown): ApiError =>
  new ApiError(
    {
      status: 503,
      code: 'NOT_AUDITED',
      detail: 'the request could not be written to the audit, so nothing was done',
      hint: 'repeat the request in a while; the log of the service says why its database refused the entry',
      headers: { 'Retry-After': '5' },
    },
    { cause },
  );

/** The log has the cause under the request's ID. */
export const cloudAway = (cloudName: string, cause: unknown): ApiError =>
  new ApiError(
    {
      status: 503,
      code: 'CLOUD_AWAY',
      detail: `the ${cloudName} cloud does not answer, and the request needs it; nothing was stored`,
      hint: 'repeat the request in a while; /readyz says whether the cloud answers, and the log of the service why not',
      headers: { 'Retry-After': '5' },
    },
    { cause },
  );

/** The cloud refuses, or does not tell, what the request needs. */
export const rightsMissing = (described: readonly string[], cause: unknown): ApiError =>
  new ApiError(
    {
      status: 503,
      code: 'CLOUD_RIGHT_MISSING',
      detail: `${described.join('; ')}; nothing was stored`,
      hint: helpForRight,
      headers: { 'Retry-After': '5' },
    },
    { cause },
  );

/** Plans take a processor each for a while. */
export const plannerBusy = (): ApiError =>
  new ApiError({
    status: 503,
    code: 'PLANNER_BUSY',
    detail: 'as many plans are being made as the service makes at once; nothing was stored',
    hint: 'repeat the request in a while',
    headers: { 'Retry-After': '5' },
  });

export const planTooLong = (seconds: number): ApiError =>
  new ApiError({
    status: 503,
    code: 'PLAN_TOOK_TOO_LONG',
    detail: `the plan was not made within ${seconds} s; nothing was stored`,
    hint: 'plan fewer hosts at once, or repeat the request when the service has less to do',
    headers: { 'Retry-After': '60' },
  });
