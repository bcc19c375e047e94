/** Counts the requests that have ended, by the template of their path, so that no ID becomes a label. */
import type { RequestHandler, Response } from 'express';
import type { ApiMetrics } from '../../telemetry/metrics/api-metrics';
import { templateOf } from './refuse-other-methods';

const httpStatusOf = (res: Response): number | 'aborted' => (res.headersSent ? res.statusCode : 'aborted');

export const createRequestCount =
  (metrics: ApiMetrics): RequestHandler =>
  (req, res, next) => {
    const { method, path } = req;
    const beganMs = performance.now();
    res.on('close', () => {
      const route = templateOf(path);
      const isStream = route === '/v1/events';
      const seconds = isStream ? undefined : (performance.now() - beganMs) / 1000;
      metrics.requestEnded({ method, route, status: httpStatusOf(res), seconds });
    });
    next();
  };
