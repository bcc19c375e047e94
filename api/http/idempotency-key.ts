/** The header Idempotency-Key: who repeats a create request with it gets the session of the first one. */
import { createHash } from 'node:crypto';
import type { Request } from 'express';
import { principalOf } from '../identity/authorization';
import { invalidQuery } from '../problems/problem-catalogue';

/** The digest by which two create requests are the same. */
export interface RequestIdentity {
  /** Keys of several callers have nothing to do with each other. */
  readonly caller: string;
  readonly key: string;
  /** The digest of the body. Bodies with the same content have the same digest, whatever the order of their keys. */
  readonly digest: string;
}

/**
 * Undefined where the request has no such header.
 *
 * @throws ApiError 400 where it cannot be a key
 */
export const requestIdentityOf = (req: Request, body: unknown): RequestIdentity | undefined => {
  const key = req.get('idempotency-key');
  if (key === undefined) return undefined;
  if (!/^[\x21-\x7e]{1,255}$/.test(key)) {
    const message = 'must be 1 to 255 visible ASCII characters, such as a UUID, and new for each session';
    throw invalidQuery([{ pointer: '#header/Idempotency-Key', message }]);
  }
  const principal = principalOf(req);
  const caller = principal.kind === 'admin' ? (principal.caller ?? '') : principal.projectId.key;
  return { caller, key, digest: digestOf(body) };
};

const digestOf = (body: unknown): string =>
  createHash('sha256')
    .update(JSON.stringify(ordered(body)))
    .digest('hex');

/** JSON with the keys of its objects in alphabetical order. */
const ordered = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(ordered);
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).sort(([one], [other]) => (one < other ? -1 : 1));
  return entries.map(([key, inner]) => [key, ordered(inner)]);
};
