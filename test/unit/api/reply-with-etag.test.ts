/** Shows which changes an ETag tells: whatever differs, and ends that move, but not the time that passes. */
import type { Response } from 'express';
import { replyWithEtag } from '../../../api/http/reply-with-etag';
import { secondsUntil } from '../../../api/showing/seconds-until';

const etagOf = (body: object, now: Date): string => {
  let tag = '';
  const res = {
    set: (headers: Record<string, string>) => (tag = headers['ETag'] ?? ''),
    ...{ vary: () => res, type: () => res, send: () => res },
  };
  replyWithEtag(res as unknown as Response, body, now);
  return tag;
};

const start = Date.parse('2026-01-05T02:00:00.000Z');

interface Seen {
  /** After the start. */
  readonly ms?: number;
  readonly windowMs?: number;
  readonly answerMs?: number;
  readonly endMs?: number;
  readonly meta?: object;
}

const look = ({ ms = 0, windowMs = 7_200_000, answerMs = 600_000, endMs = 3_600_000, meta = {} }: Seen): string => {
  const now = new Date(start + ms);
  const until = (at: number) => secondsUntil(new Date(start + at), now);
  const end = new Date(start + endMs).toISOString();
  const body = {
    ...{ now: now.toISOString(), state: 'PLANNED_MAINTENANCE', meta },
    ends_at: { earliest: end, expected: end, latest: end },
    seconds_left: { earliest: until(endMs), expected: until(endMs), latest: until(endMs) },
    window_seconds_left: until(windowMs),
    start_seconds_left: null,
    under_work: [{ phase_seconds: ms / 1000, seconds_left: until(answerMs) }],
    waiting: [{ remaining_seconds: until(answerMs) ?? 0 }],
  };
  return etagOf(body, now);
};

describe('the ETag', () => {
  // A countdown is rounded up to a second, so in the second before half a minute it may change.
  it.each([0, 1, 400, 28_999, 30_000, 59_999])(
    'does not change while time passes, with ends %d ms past a minute',
    (at) => {
      const ends = { windowMs: 7_200_000 + at, answerMs: 600_000 + at };
      const tags = [0, 1, 333, 999, 10_000, 10_500, 29_999, 59_001].map((ms) => look({ ms, ...ends }));
      expect(new Set(tags).size).toBe(1);
    },
  );

  it.each([
    { what: 'a window closes hours later', seen: { windowMs: 14_400_000 } },
    { what: 'an answer is due a minute earlier', seen: { answerMs: 540_000 } },
    { what: 'the end is expected later', seen: { endMs: 7_200_000 } },
    { what: 'the window has closed', seen: { windowMs: -1 } },
    { what: 'the metadata differ', seen: { meta: { seconds_left: 6 } } },
  ])('changes when $what', ({ seen }) => {
    expect(look({ ms: 10_000, ...seen })).not.toBe(look({}));
  });

  it('does not change with an end that is expected milliseconds later', () => {
    expect(look({ endMs: 3_600_400 })).toBe(look({}));
  });

  it('does not take an admin’s own words for countdowns', () => {
    const meta = { seconds_left: 5, now: 'x' };
    expect(look({ ms: 120_000, meta })).toBe(look({ meta }));
  });
});
