/**
 * Allows the documented methods of each path. Any other method is answered with 405 and the methods that are allowed.
 */
import type { RequestHandler } from 'express';
import { documentedMethods } from '../openapi/document';
import { methodNotAllowed } from '../problems/endpoint-problems';

const segmentsOf = (path: string): string[] => path.toLowerCase().replace(/\/$/, '').split('/');

const isParameter = (segment: string): boolean => segment.startsWith('{');

const templates = [...documentedMethods].map(([path, methods]) => ({ path, segments: segmentsOf(path), methods }));

/** When several paths fit, the one with the fewest parameters: `/pause` is not a project's ID. */
const specificFirst = templates.toSorted(
  (a, b) => a.segments.filter(isParameter).length - b.segments.filter(isParameter).length,
);

/** Matches like the routes: in any case, with or without a trailing slash. */
const endpointOf = (path: string) => {
  const given = segmentsOf(path);
  return specificFirst.find(
    ({ segments }) =>
      segments.length === given.length &&
      segments.every((segment, at) => segment === given[at] || (isParameter(segment) && given[at] !== '')),
  );
};

/** Undefined: no endpoint has the path. */
export const methodsOf = (path: string): readonly string[] | undefined => endpointOf(path)?.methods;

/** The path of the endpoint with names in place of IDs, such as `/v1/maintenance/{session_id}`; undefined: none. */
export const templateOf = (path: string): string | undefined => endpointOf(path)?.path;

/** Express answers OPTIONS from the routes. */
export const refuseOtherMethods: RequestHandler = (req, _res, next) => {
  const methods = methodsOf(req.path);
  if (methods !== undefined && req.method !== 'OPTIONS' && !methods.includes(req.method)) {
    throw methodNotAllowed(req.method, req.path, methods);
  }
  next();
};
