import { isPassing, pauseBeforeRetryMs, wasNotTaken } from '../../../../clouds/http/back-off';

const noon = Date.UTC(2026, 0, 1, 12);
const answer = (retryAfter?: string) => ({
  status: 503,
  headers: new Map(retryAfter === undefined ? [] : [['retry-after', retryAfter]]),
  body: undefined,
});

it.each([
  { situation: 'after the first try', tries: 1, given: answer(), ms: 250 },
  { situation: 'after the third try', tries: 3, given: answer(), ms: 1_000 },
  { situation: 'without any answer', tries: 2, given: undefined, ms: 500 },
  { situation: 'when the service asks for seconds', tries: 1, given: answer('3'), ms: 3_000 },
  { situation: 'when it asks for a time', tries: 1, given: answer('Thu, 01 Jan 2026 12:00:07 GMT'), ms: 7_000 },
  { situation: 'when that time is over', tries: 1, given: answer('Thu, 01 Jan 2026 11:00:00 GMT'), ms: 0 },
  { situation: 'when it asks for longer than anybody waits', tries: 1, given: answer('3600'), ms: 20_000 },
  { situation: 'when what it asks for means nothing', tries: 1, given: answer('soon'), ms: 250 },
])('pauses $ms ms $situation', ({ tries, given, ms }) => {
  expect(pauseBeforeRetryMs(tries, given, noon)).toBe(ms);
});

it.each([
  { status: 429, passing: true, notTaken: true },
  { status: 503, passing: true, notTaken: false },
  { status: 500, passing: true, notTaken: false },
  { status: 409, passing: false, notTaken: false },
  { status: 404, passing: false, notTaken: false },
])('$status: passing $passing, surely without effect $notTaken', ({ status, passing, notTaken }) => {
  expect([isPassing(status), wasNotTaken({ status, headers: new Map() })]).toEqual([passing, notTaken]);
});

it('413 with a time to wait is surely without effect', () => {
  const headers = new Map([['retry-after', '3']]);
  expect([wasNotTaken({ status: 413, headers }), wasNotTaken({ status: 413, headers: new Map() })]).toEqual([
    true,
    false,
  ]);
});
