/** The digest of the bytes of a request's body, for the audit. The body itself is not kept. */
import { createHash } from 'node:crypto';

const digests = new WeakMap<object, string>();

export const noteBody = (req: object, body: Buffer): void => {
  digests.set(req, createHash('sha256').update(body).digest('hex'));
};

/** Undefined: the request has no body, or it was not read. */
export const bodyDigestOf = (req: object): string | undefined => digests.get(req);
