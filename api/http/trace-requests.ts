/** Opens a span for each request, in the trace of the session that its path names. */
import type { RequestHandler } from 'express';
import type { Tracing } from '../../telemetry/tracing/tracing';
import { sessionOfPath } from './path-ids';
import { templateOf } from './refuse-other-methods';

export const createRequestTracing =
  (tracing: Tracing): RequestHandler =>
  (req, res, next) => {
    const name = `${req.method} ${templateOf(req.path) ?? 'none'}`;
    const closed = new Promise<void>((resolve) => res.once('close', () => resolve()));
    void tracing.inSpan({ name, sessionId: sessionOfPath(req.path) }, () => {
      next();
      return closed;
    });
  };
