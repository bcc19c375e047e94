import type { HttpAnswer } from '../../../../clouds/http/exchange';
import { heedPauses } from '../../../../clouds/http/heed-pauses';

const answered = (status: number, retryAfter?: string): HttpAnswer => ({
  status,
  headers: new Map(retryAfter === undefined ? [] : [['retry-after', retryAfter]]),
  body: undefined,
});

/** A service with these answers, one after the other, and a clock that only pauses move. */
const aService = (...answers: readonly HttpAnswer[]) => {
  let nowMs = Date.UTC(2026, 0, 1);
  const calledAt: number[] = [];
  const pauses: number[] = [];
  const began = nowMs;
  const exchange = heedPauses(
    () => {
      calledAt.push(nowMs - began);
      return Promise.resolve(answers[calledAt.length - 1] ?? answered(200));
    },
    {
      nowMs: () => nowMs,
      pause: (milliseconds) => {
        nowMs += milliseconds;
        return Promise.resolve(pauses.push(milliseconds));
      },
    },
  );
  const get = (url = 'http://cloud/compute/v2.1/servers') => exchange({ method: 'GET', url });
  return { get, calledAt, pass: (milliseconds: number) => void (nowMs += milliseconds) };
};

it.each([
  { status: 429, retryAfter: '5', secondAt: 5_000 },
  { status: 413, retryAfter: '5', secondAt: 5_000 },
  { status: 503, retryAfter: '5', secondAt: 5_000 },
  { status: 429, retryAfter: undefined, secondAt: 0 },
  { status: 200, retryAfter: '5', secondAt: 0 },
])('after $status with Retry-After $retryAfter the next call comes after $secondAt ms', async (given) => {
  const { get, calledAt } = aService(answered(given.status, given.retryAfter));
  await get();
  await get();
  expect(calledAt).toEqual([0, given.secondAt]);
});

it('a pause that is too long to be waited for keeps the service from being called, and says why', async () => {
  const { get, calledAt, pass } = aService(answered(429, '60'));
  await get();
  await expect(get()).rejects.toThrow('the service wants no call for 60 s more (Retry-After)');
  pass(45_000);
  await get();
  expect(calledAt).toEqual([0, 60_000]);
});

it('a pause of one service holds up no other behind the same address', async () => {
  const { get, calledAt } = aService(answered(429, '5'));
  await get();
  await get('http://cloud/placement/resource_providers');
  expect(calledAt).toEqual([0, 0]);
});
