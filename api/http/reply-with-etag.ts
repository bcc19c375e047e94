/** Replies that a client can ask for again without having them sent again, as long as nothing has changed. */
import { createHash } from 'node:crypto';
import type { Response } from 'express';

/**
 * A weak ETag: two answers that differ only in the time that is left until the same ends are the same. Express answers
 * 304 where the client's If-None-Match has it.
 *
 * @param now the moment from which the countdowns of the body count
 */
export const replyWithEtag = (res: Response, body: object, now: Date): void => {
  res.set({ ETag: `W/"${digestOf(body, now)}"`, 'Cache-Control': 'private, no-cache' });
  res.vary('X-Auth-Token').vary('Authorization').type('json').send(JSON.stringify(body));
};

const digestOf = (body: object, now: Date): string =>
  createHash('sha256')
    .update(JSON.stringify(body, lasting(now.getTime() / 1000)))
    .digest('base64url')
    .slice(0, 27);

const countdown = /(?:^|_)seconds_left$|^remaining_seconds$/;

/**
 * Ends instead of countdowns, by the minute: an end that has moved changes the tag. A tick seldom does, where the end
 * lies at the edge of a minute: then the client gets the same again.
 */
const lasting =
  (nowSeconds: number) =>
  (key: string, value: unknown): unknown => {
    if (key === 'now' || key === 'phase_seconds') return undefined;
    // An admin's own words, whatever they are called.
    if (key === 'meta') return JSON.stringify(value);
    if (key === 'ends_at' && isRange(value)) return Object.values(value).map((at) => minuteOf(Date.parse(at) / 1000));
    if (!countdown.test(key)) return value;
    // A range of seconds is left out, because `ends_at` has its ends.
    if (typeof value !== 'number') return value === null ? null : undefined;
    return value > 0 ? minuteOf(nowSeconds + value) : 0;
  };

const isRange = (value: unknown): value is Readonly<Record<string, string>> =>
  typeof value === 'object' && value !== null;

const minuteOf = (seconds: number): number => Math.round(seconds / 60);
