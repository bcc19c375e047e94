/** Gives every request an ID, sends the ID to the caller, and logs how the request ended. */
import { AsyncResource } from 'node:async_hooks';
import { randomUUID } from 'node:crypto';
import type { Request, RequestHandler } from 'express';
import type { Logger } from 'pino';
import { pathToShow } from './secret-paths';

const requestIds = new WeakMap<object, string>();

export const requestIdOf = (req: Request): string => requestIds.get(req) ?? 'unknown';

export const createRequestLog =
  (logger: Logger): RequestHandler =>
  (req, res, next) => {
    const requestId = randomUUID();
    // Read now: a router that is mounted shortens it.
    const { method } = req;
    const path = pathToShow(req.path);
    const beganMs = performance.now();
    requestIds.set(req, requestId);
    res.setHeader('X-Request-Id', requestId);
    const tell = (): void => {
      const tookMs = Math.round(performance.now() - beganMs);
      logger.info({ requestId, method, path, status: res.statusCode, tookMs }, 'request');
    };
    // The line belongs to the request's trace.
    res.on('close', AsyncResource.bind(tell));
    next();
  };
