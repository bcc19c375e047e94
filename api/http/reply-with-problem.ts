/**
 * The one place that turns an error into a reply. Nothing of an unexpected error leaves the service, except to its log.
 */
import type { ErrorRequestHandler, RequestHandler } from 'express';
import type { Logger } from 'pino';
import { isDatabaseAway } from '../../prisma/database-trouble';
import { notRecorded } from '../problems/away-problems';
import { internalError, noSuchEndpoint } from '../problems/endpoint-problems';
import { ApiError, toProblem } from '../problems/problem';
import { requestIdOf } from './log-requests';
import { toReadProblem } from './read-body';
import { pathToShow } from './secret-paths';

export const refuseUnknownEndpoint: RequestHandler = (req) => {
  throw noSuchEndpoint(req.method, req.baseUrl + req.path);
};

export const createProblemReplier = ({
  logger,
  bodyLimitBytes,
}: {
  readonly logger: Logger;
  readonly bodyLimitBytes: number;
}): ErrorRequestHandler => {
  // Express tells an error handler by its four parameters.
  // eslint-disable-next-line max-params
  return (error: unknown, req, res, next) => {
    if (res.headersSent) {
      next(error);
      return;
    }
    const expected = error instanceof ApiError ? error : toReadProblem(error, bodyLimitBytes);
    const requestId = requestIdOf(req);
    const isFault = expected === undefined || expected.cause !== undefined;
    if (isFault) logger.error({ err: error, requestId, method: req.method, path: pathToShow(req.path) }, 'failed');
    const { problem } = expected ?? (isDatabaseAway(error) ? notRecorded(req.method) : internalError(requestId));
    res
      .status(problem.status)
      .set({ ...problem.headers })
      .type('application/problem+json')
      .send(JSON.stringify(toProblem(problem)));
  };
};
