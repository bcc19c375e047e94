import { createTurns } from '../../../calls/turns';

const settled = async (): Promise<void> => {
  for (let turn = 0; turn < 10; turn += 1) await Promise.resolve();
};

/** Work that is in flight until it is ended. */
const openWork = () => {
  const ends: (() => void)[] = [];
  const work = (): Promise<void> => new Promise((resolve) => ends.push(resolve));
  return { work, begun: () => ends.length, end: (index: number) => ends[index]?.() };
};

it('does the work with one key in turn, and that with another key beside it', async () => {
  const [inTurn, open] = [createTurns(), openWork()];
  const first = inTurn('session', open.work);
  const second = inTurn('session', open.work);
  const other = inTurn('other', open.work);
  await settled();
  expect(open.begun()).toBe(2);
  open.end(0);
  await first;
  await settled();
  expect(open.begun()).toBe(3);
  open.end(1);
  open.end(2);
  await Promise.all([second, other]);
});

it('goes on with the next turn after work that failed', async () => {
  const inTurn = createTurns();
  const failing = inTurn('session', () => Promise.reject(new Error('away')));
  const next = inTurn('session', () => Promise.resolve('done'));
  await expect(failing).rejects.toThrow('away');
  await expect(next).resolves.toBe('done');
});
