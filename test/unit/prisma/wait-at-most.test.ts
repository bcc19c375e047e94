import { setTimeout as pause } from 'node:timers/promises';
import { waitAtMost } from '../../../prisma/wait-at-most';

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
