/** Replies that a client can ask for again without having them sent again, as long as nothing has changed. */
import { createHash } from 'node:crypto';
import type { Response } from 'express';

/** Countdowns: a client goes on with them by itself. */
const countdown = /("(?:\w*seconds_left|remaining_seconds|phase_seconds|earliest|expected|latest)":)-?\d+(?:\.\d+)?/g;
const moment = /"now":"[^"]*"|("(?:earliest|expected|latest)":)"[^"]*"/g;

/**
 * A weak ETag: two answers that only differ in the time that is left are the same. Express answers 304 where the
 * client's If-None-Match has it.
 */
export const replyWithEtag = (res: Response, body: object): void => {
  const text = JSON.stringify(body);
  const lasting = text.replace(countdown, '$1').replace(moment, '$1');
  const digest = createHash('sha256').update(lasting).digest('base64url').slice(0, 27);
  res.set({ ETag: `W/"${digest}"`, 'Cache-Control': 'private, no-cache' });
  res.vary('X-Auth-Token').vary('Authorization').type('json').send(text);
};
