/** The project about which a request asks in its query. */
import type { Request } from 'express';
import { type Id, idOf, isUuid, uuidMeaning } from '../../rules/cloud/id';
import { assertProjectOrAdmin, principalOf } from '../identity/authorization';
import { invalidQuery } from '../problems/problem-catalogue';

/**
 * The project named in the query, or else all for an admin (null), and the caller's own for a project.
 * @throws ApiError 400, or 403 where a project names another
 */
export const projectOfQuery = (req: Request): Id | null => {
  const principal = principalOf(req);
  const named = req.query['project_id'];
  if (named === undefined) return principal.kind === 'admin' ? null : principal.projectId;
  if (typeof named !== 'string' || !isUuid(named)) {
    throw invalidQuery([{ pointer: '#query/project_id', message: `must be ${uuidMeaning}` }]);
  }
  const projectId = idOf(named);
  assertProjectOrAdmin(principal, projectId, 'the query names');
  return projectId;
};
