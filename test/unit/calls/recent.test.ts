import { createRecent } from '../../../calls/recent';

const aRecent = () => {
  const clock = { nowMs: 0 };
  let count = 0;
  let isBroken = false;
  const read = (): Promise<number> =>
    isBroken ? Promise.reject(new Error('cannot be read')) : Promise.resolve((count += 1));
  const recent = createRecent({ read, keepMs: 1_000, nowMs: () => clock.nowMs });
  return { recent, clock, breakDown: (broken: boolean) => (isBroken = broken) };
};

it('reads once for all who ask within its time, and anew after it', async () => {
  const { recent, clock } = aRecent();
  expect(await Promise.all([recent.get(), recent.get()])).toEqual([1, 1]);
  clock.nowMs = 999;
  expect(await recent.get()).toBe(1);
  clock.nowMs = 1_000;
  expect(await recent.get()).toBe(2);
});

it('has all share a reading that takes longer than its time, where that counts from the end', async () => {
  const clock = { nowMs: 0 };
  const { promise, resolve } = Promise.withResolvers<number>();
  const read = jest.fn(() => promise);
  const recent = createRecent({ read, keepMs: 1_000, isCountedFromEnd: true, nowMs: () => clock.nowMs });
  const first = recent.get();
  clock.nowMs = 3_000;
  const second = recent.get();
  resolve(1);
  expect(await Promise.all([first, second])).toEqual([1, 1]);
  clock.nowMs = 3_999;
  expect([await recent.get(), read.mock.calls.length]).toEqual([1, 1]);
  clock.nowMs = 4_000;
  await recent.get();
  expect(read).toHaveBeenCalledTimes(2);
});

it('reads anew after a change of ours', async () => {
  const { recent } = aRecent();
  await recent.get();
  recent.forget();
  expect(await recent.get()).toBe(2);
});

it('keeps no error', async () => {
  const { recent, breakDown } = aRecent();
  breakDown(true);
  await expect(recent.get()).rejects.toThrow('cannot be read');
  breakDown(false);
  expect(await recent.get()).toBe(1);
});

it('gives what is kept without reading, and reads for whoever wants nothing older', async () => {
  const { recent, clock } = aRecent();
  expect(recent.kept()).toBeUndefined();
  expect(await recent.renew()).toBe(1);
  expect(await recent.renew()).toBe(2);
  expect(await recent.kept()).toBe(2);
  clock.nowMs = 1_000;
  expect(recent.kept()).toBeUndefined();
  expect(await recent.last()).toBe(2);
});
