import { createServerClock } from '../../../../clouds/http/server-clock';

it('tells the time of the server since its last answer, whatever this machine has for its own', () => {
  let elapsedMs = 5_000;
  const clock = createServerClock(() => elapsedMs);
  expect(Math.abs(clock.nowMs() - Date.now())).toBeLessThan(60_000);
  clock.hear('Tue, 01 Jan 2030 00:00:00 GMT');
  elapsedMs += 1_500;
  for (const noDate of [undefined, 'soon']) clock.hear(noDate);
  expect(new Date(clock.nowMs()).toISOString()).toBe('2030-01-01T00:00:01.500Z');
});
