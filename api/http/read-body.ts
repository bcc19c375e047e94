/** Reads JSON bodies, up to a limit. A body that cannot be read is a problem with a hint (always 400). */
import type { IncomingMessage, ServerResponse } from 'node:http';
import express, { type Request, type RequestHandler } from 'express';
import { type ApiError } from '../problems/problem';
import { bodyTooLarge, malformedJson, unreadableRequest, wrongContentType } from '../problems/problem-catalogue';
import { noteBody } from './body-digest';
import { assertExactJson } from './exact-json';

const hasBody = (req: Request): boolean =>
  req.headers['transfer-encoding'] !== undefined || Number(req.get('content-length') ?? '0') > 0;

/** Refuses a content type that is not JSON: a web page could send such a body to a service on the same machine. */
const requireJson: RequestHandler = (req, _res, next) => {
  if (hasBody(req) && req.is(['json', '+json']) === false) throw wrongContentType(req.get('content-type'));
  next();
};

// body-parser passes four arguments.
// eslint-disable-next-line max-params
const noteAndCheck = (req: IncomingMessage, _res: ServerResponse, body: Buffer, charset: string): void => {
  noteBody(req, body);
  assertExactJson(body, charset);
};

const reader = (limit: number, verify: typeof noteAndCheck): RequestHandler[] => [
  requireJson,
  express.json({ limit, strict: false, type: ['json', '+json'], verify }),
];

/** Reads the bodies of routes that take one. */
export const createBodyReader = (limitBytes: number): RequestHandler[] => reader(limitBytes, noteAndCheck);

/** Reads JSON that is called anything, for programs that do not say what they send. A secret in the path guards it. */
export const createAnyBodyReader = (limitBytes: number): RequestHandler[] => [
  express.json({ limit: limitBytes, strict: false, type: () => true, verify: noteAndCheck }),
];

const passwordsFit = 10_000;

/** Reads bodies with a password: not even their digest is kept. */
export const createSecretReader = (): RequestHandler[] => reader(passwordsFit, () => undefined);

interface ReadFailure {
  readonly type?: unknown;
  readonly status: number;
  readonly message: string;
}

const isReadFailure = (error: unknown): error is ReadFailure =>
  error instanceof Error && 'status' in error && typeof error.status === 'number' && error.status < 500;

/**
 * The problem for an error of Express and its body parser about an unreadable request; undefined for any other error.
 */
export const toReadProblem = (error: unknown, limitBytes: number): ApiError | undefined => {
  if (!isReadFailure(error)) return undefined;
  if (error.type === 'entity.too.large') return bodyTooLarge(limitBytes);
  if (error.type === 'entity.parse.failed') return malformedJson(error.message);
  return unreadableRequest(error.message);
};
