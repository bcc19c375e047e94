import { createSlots } from '../../../calls/slots';

/** Work that is under way until it is ended. */
const openWork = () => {
  const ends: (() => void)[] = [];
  const work = (): Promise<void> => new Promise((resolve) => ends.push(resolve));
  return { work, end: (index: number) => ends[index]?.() };
};

it('leaves room for other kinds beside one that is slow, and has room for it again when some of it ends', async () => {
  const [slots, slow] = [createSlots({ mostOfOne: 2 }), openWork()];
  const [first] = [slots.run('slow', slow.work), slots.run('slow', slow.work)];
  expect(slots.run('slow', slow.work)).toBeUndefined();
  await expect(slots.run('other', () => Promise.resolve('done'))).resolves.toBe('done');
  slow.end(0);
  await first;
  expect(slots.run('slow', slow.work)).toBeDefined();
  expect(slots.run('slow', slow.work)).toBeUndefined();
});

it('bounds what is under way in all, whichever kinds it belongs to', async () => {
  const [slots, open] = [createSlots({ mostOfOne: 2, mostInAll: 3 }), openWork()];
  const running = ['a', 'b', 'c'].map((kind) => slots.run(kind, open.work));
  expect(running).not.toContain(undefined);
  expect(slots.run('d', open.work)).toBeUndefined();
  open.end(0);
  await running[0];
  expect(slots.run('d', open.work)).toBeDefined();
});

it('counts work that fails no longer', async () => {
  const slots = createSlots({ mostOfOne: 1 });
  await expect(slots.run('a', () => Promise.reject(new Error('broken')))).rejects.toThrow('broken');
  await expect(slots.run('a', () => Promise.resolve('done'))).resolves.toBe('done');
});
