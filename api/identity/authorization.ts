/**
 * Decides who may do what: session endpoints are for admins; a project's endpoints are for that project and for admins.
 * Whose constraints a caller may write is checked by api/services/constraints.ts (the owner in the cloud) and, within
 * the transaction, by prisma/constraints/constraints.ts.
 */
import type { Request, RequestHandler } from 'express';
import { type Id, isSameId } from '../../rules/cloud/id';
import { parsePathId } from '../http/path-ids';
import { adminOnly, notYourProject } from '../problems/problem-catalogue';
import type { Identity, Principal } from './identity';

const principals = new WeakMap<object, Principal>();

const bearer = /^Bearer +(?<token>\S+) *$/i;

const tokenOf = (req: Request): string | undefined =>
  req.get('x-auth-token') ?? bearer.exec(req.get('authorization') ?? '')?.groups?.['token'];

export const createAuthenticator =
  (identity: Identity): RequestHandler =>
  async (req, _res, next) => {
    principals.set(req, await identity.authenticate(tokenOf(req)));
    next();
  };

/** Whoever has a secret address of a project acts for it there, without a token. */
export const actAsProject = (req: object, projectId: Id, callerName: string): void => {
  principals.set(req, { kind: 'project', projectId, callerName });
};

/** Undefined: the endpoint is for everybody, also without a token. */
export const principalIfKnown = (req: object): Principal | undefined => principals.get(req);

export const principalOf = (req: object): Principal => {
  const principal = principalIfKnown(req);
  if (principal === undefined) throw new Error('the route is not behind the authenticator');
  return principal;
};

const isProjectOrAdmin = (principal: Principal, projectId: Id): boolean =>
  principal.kind === 'admin' || isSameId(principal.projectId, projectId);

/** @throws ApiError 403 */
export const assertProjectOrAdmin = (principal: Principal, projectId: Id, what: string): void => {
  if (!isProjectOrAdmin(principal, projectId)) throw notYourProject(what);
};

export const asAdmin: RequestHandler = (req, _res, next) => {
  if (principalOf(req).kind !== 'admin') throw adminOnly();
  next();
};

/** Lets a project act on paths with its own project_id, and admins on all. */
export const asProjectOfPath: RequestHandler = (req, _res, next) => {
  const projectId = parsePathId(req.params, 'project_id');
  assertProjectOrAdmin(principalOf(req), projectId, 'the path names');
  next();
};
