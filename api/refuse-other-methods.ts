/** A documented path takes the methods that are documented for it; any other is 405 and told which ones there are. */
import type { RequestHandler } from 'express';
import { documentedMethods } from './openapi/document';
import { methodNotAllowed } from './problem-catalogue';

const segmentsOf = (path: string): string[] => path.toLowerCase().replace(/\/$/, '').split('/');

const isParameter = (segment: string): boolean => segment.startsWith('{');

const templates = [...documentedMethods].map(([path, methods]) => ({ segments: segmentsOf(path), methods }));

/** Where several fit, the one with the fewest parameters: `/pause` is no project's ID. */
const specificFirst = templates.toSorted(
  (a, b) => a.segments.filter(isParameter).length - b.segments.filter(isParameter).length,
);

/** As the routes match: in any case, with or without a trailing slash. Undefined: no endpoint has the path. */
export const methodsOf = (path: string): readonly string[] | undefined => {
  const given = segmentsOf(path);
  return specificFirst.find(
    ({ segments }) =>
      segments.length === given.length &&
      segments.every((segment, at) => segment === given[at] || (isParameter(segment) && given[at] !== '')),
  )?.methods;
};

/** OPTIONS is answered by Express from the routes. */
export const refuseOtherMethods: RequestHandler = (req, _res, next) => {
  const methods = methodsOf(req.path);
  if (methods !== undefined && req.method !== 'OPTIONS' && !methods.includes(req.method)) {
    throw methodNotAllowed(req.method, req.path, methods);
  }
  next();
};
