import { askedAgainAtMs } from '../../../../rules/questions/after-refusal';

const limits = { nackRetries: 2, nackRetrySeconds: 10 };

it.each([
  { what: 'soon where it may not put work off', refusals: 1, latestMs: undefined, atMs: 11_000 },
  { what: 'in the middle of the time that it has', refusals: 1, latestMs: 41_000, atMs: 21_000 },
  { what: 'for the last time at the end of that time', refusals: 2, latestMs: 41_000, atMs: 41_000 },
  { what: 'soon where that time is nearly over', refusals: 1, latestMs: 2_000, atMs: 11_000 },
  { what: 'soon where that time is over', refusals: 2, latestMs: 500, atMs: 11_000 },
])('a project that has refused after a second is asked again $what', ({ refusals, latestMs, atMs }) => {
  expect(askedAgainAtMs({ refusedAtMs: 1_000, refusals, latestMs }, limits)).toBe(atMs);
});
