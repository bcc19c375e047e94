/**
 * Bounds how many requests a caller may send in a minute, so that one caller leaves room for the others. Replies are
 * never refused: managers give up after a few tries, and a lost reply costs a project its say. Each process counts for
 * itself. Without identity there is one caller, whom the service trusts, so nothing is bounded.
 */
import type { Request, RequestHandler } from 'express';
import { ipKeyGenerator, rateLimit } from 'express-rate-limit';
import { principalIfKnown } from '../identity/authorization';
import type { Identity } from '../identity/identity';
import { operations } from '../openapi/operations';
import { tooManyCalls } from '../problems/away-problems';
import { templateOf } from './refuse-other-methods';

const windowMs = 60_000;

const replyPaths = operations.filter(({ isReply }) => isReply === true).map(({ path }) => path);

const isReply = (req: Request): boolean =>
  req.method === 'PUT' && replyPaths.some((path) => path === templateOf(req.baseUrl + req.path));

/** Two people of one project are two callers where they can be told apart. */
export const callerOf = (req: Request): string => {
  const principal = principalIfKnown(req);
  if (principal === undefined) return ipKeyGenerator(req.ip ?? '');
  const { kind, caller = '' } = principal;
  return [kind, kind === 'project' ? principal.projectId.key : '', caller].join(' ');
};

/** Comes after the authenticator. */
export const limitCalls = (
  { trustsEverybody }: Pick<Identity, 'trustsEverybody'>,
  callsPerMinute: number,
): RequestHandler =>
  rateLimit({
    windowMs,
    limit: callsPerMinute,
    standardHeaders: false,
    legacyHeaders: false,
    keyGenerator: callerOf,
    skip: (req) => trustsEverybody || isReply(req),
    handler: (req, _res, next) => {
      next(tooManyCalls(callsPerMinute, secondsLeft(req)));
    },
  });

/** The limiter puts the end of the caller's minute into the request. */
const secondsLeft = (req: Request): number => {
  const info: unknown = Reflect.get(req, 'rateLimit');
  const resetTime: unknown = typeof info === 'object' && info !== null ? Reflect.get(info, 'resetTime') : undefined;
  const leftMs = resetTime instanceof Date ? resetTime.getTime() - Date.now() : windowMs;
  return Math.max(1, Math.ceil(leftMs / 1000));
};
