import { setTimeout as pause } from 'node:timers/promises';
import { waitAtMost, withinLimit } from '../../../calls/time-limit';

const never = new Promise<never>(() => undefined);

describe('a time limit', () => {
  it('passes on what the work returns', async () => {
    await expect(withinLimit(1_000, 'counting', Promise.resolve(3))).resolves.toBe(3);
  });

  it('passes on what the work throws', async () => {
    await expect(withinLimit(1_000, 'counting', Promise.reject(new Error('no numbers')))).rejects.toThrow('no numbers');
  });

  it('names the work that took too long', async () => {
    await expect(withinLimit(10, 'counting', never)).rejects.toThrow('counting took longer than 10 ms');
  });
});

describe('a wait for work that goes on', () => {
  it('returns with what is under way where that ends in time', async () => {
    const ended: string[] = [];
    await waitAtMost(
      pause(10).then(() => void ended.push('work')),
      60_000,
    );
    expect(ended).toEqual(['work']);
  });

  it('returns after the time, and what is under way goes on', async () => {
    const ended: string[] = [];
    const underWay = pause(200).then(() => void ended.push('work'));
    await waitAtMost(underWay, 10);
    expect(ended).toEqual([]);
    await underWay;
    expect(ended).toEqual(['work']);
  });
});
