import fc from 'fast-check';
import {
  parseRetryAfter,
  patienceMs,
  type ReceiverAnswer,
  verdictOnDelivery,
} from '../../../../events/webhooks/next-attempt';

const status = (code: number, retryAfterMs?: number): ReceiverAnswer => ({
  kind: 'status',
  status: code,
  ...(retryAfterMs !== undefined && { retryAfterMs }),
});
const first = { attempts: 0, ageMs: 0, chance: 0.5 };

describe('an answer', () => {
  it.each([
    { answer: status(200), verdict: { kind: 'taken' } },
    { answer: status(204), verdict: { kind: 'taken' } },
    { answer: status(299), verdict: { kind: 'taken' } },
    { answer: status(301), verdict: { kind: 'retry', afterMs: 2_000, slowsDown: false } },
    { answer: status(302), verdict: { because: 'the receiver answered 302, a redirect, which is not followed' } },
    { answer: status(304), verdict: { kind: 'retry' } },
    { answer: status(400), verdict: { kind: 'retry', because: 'the receiver answered 400' } },
    { answer: status(401), verdict: { kind: 'retry' } },
    { answer: status(404), verdict: { kind: 'retry', slowsDown: false } },
    { answer: status(410), verdict: { kind: 'switchOff' } },
    { answer: status(429), verdict: { kind: 'retry', afterMs: 30_000, slowsDown: true } },
    { answer: status(429, 7_000), verdict: { afterMs: 30_000 } },
    { answer: status(500), verdict: { kind: 'retry', afterMs: 2_000, slowsDown: false } },
    { answer: status(500, 90_000), verdict: { afterMs: 90_000, slowsDown: true } },
    { answer: status(502), verdict: { slowsDown: true } },
    { answer: status(503), verdict: { afterMs: 2_000, slowsDown: false } },
    { answer: status(503, 1_000), verdict: { afterMs: 2_000, slowsDown: true } },
    { answer: status(504), verdict: { slowsDown: true } },
    { answer: status(101), verdict: { kind: 'retry' } },
    { answer: { kind: 'none', because: 'no route' } as const, verdict: { kind: 'retry', because: 'no route' } },
    {
      answer: { kind: 'forbidden', because: 'not listed' } as const,
      verdict: { kind: 'retry', because: 'not listed' },
    },
  ])('$answer leads to $verdict', ({ answer, verdict }) => {
    expect(verdictOnDelivery(answer, first)).toMatchObject(verdict);
  });
});

describe('the attempts of a day', () => {
  const waits = (chance: number): number[] => {
    const found: number[] = [];
    for (let ageMs = 0; ;) {
      const verdict = verdictOnDelivery(status(500), { attempts: found.length, ageMs, chance });
      if (verdict.kind !== 'retry') return found;
      found.push(verdict.afterMs);
      ageMs += verdict.afterMs;
    }
  };

  it('begin after 2, 5, 10, 30 and 60 s, and are then twice as far apart each time, up to an hour', () => {
    expect(waits(0.5).slice(0, 12)).toEqual([
      2_000, 5_000, 10_000, 30_000, 60_000, 120_000, 240_000, 480_000, 960_000, 1_920_000, 3_600_000, 3_600_000,
    ]);
  });

  it.each([0, 0.5, 1])('last exactly one day, whatever chance (%d) does to the later waits', (chance) => {
    expect(waits(chance).reduce((sum, waitMs) => sum + waitMs, 0)).toBe(patienceMs);
    expect(waits(chance).slice(0, 5)).toEqual([2_000, 5_000, 10_000, 30_000, 60_000]);
  });

  it('end with giving up, also where the receiver asks for more time', () => {
    const course = { attempts: 40, ageMs: patienceMs, chance: 0.5 };
    expect(verdictOnDelivery(status(429, 60_000), course)).toEqual({
      kind: 'giveUp',
      because: 'the receiver answered 429',
    });
    const late = verdictOnDelivery(status(429, 10 * patienceMs), { ...course, ageMs: patienceMs - 5_000 });
    expect(late).toMatchObject({ kind: 'retry', afterMs: 5_000 });
  });

  it('are never less than 2 s apart but for the last, and never beyond the day', () => {
    fc.assert(
      fc.property(
        fc.record({
          attempts: fc.integer({ min: 0, max: 1_000 }),
          ageMs: fc.integer({ min: 0, max: patienceMs - 1 }),
          chance: fc.double({ min: 0, max: 1, noNaN: true }),
        }),
        fc.integer({ min: 300, max: 599 }).filter((code) => code !== 410),
        (course, code) => {
          const verdict = verdictOnDelivery(status(code), course);
          const leftMs = patienceMs - course.ageMs;
          expect(verdict).toMatchObject({ kind: 'retry' });
          const afterMs = verdict.kind === 'retry' ? verdict.afterMs : 0;
          expect(afterMs).toBeGreaterThanOrEqual(Math.min(2_000, leftMs));
          expect(afterMs).toBeLessThanOrEqual(leftMs);
        },
      ),
    );
  });
});

it.each([
  { header: undefined, afterMs: undefined },
  { header: '120', afterMs: 120_000 },
  { header: ' 0 ', afterMs: 0 },
  { header: 'Wed, 25 Nov 2026 12:00:30 GMT', afterMs: 30_000 },
  { header: 'Wed, 25 Nov 2026 11:00:00 GMT', afterMs: 0 },
  { header: 'soon', afterMs: undefined },
  { header: '-5', afterMs: undefined },
  { header: '99999999999', afterMs: undefined },
])('Retry-After $header means $afterMs ms', ({ header, afterMs }) => {
  expect(parseRetryAfter(header, Date.parse('2026-11-25T12:00:00Z'))).toBe(afterMs);
});
