import { createPlaces } from '../../../calls/places';

const settled = async (): Promise<void> => {
  for (let turn = 0; turn < 10; turn += 1) await Promise.resolve();
};

/** Work that is in flight until it is ended. */
const openWork = () => {
  const ends: (() => void)[] = [];
  const work = (): Promise<void> => new Promise((resolve) => ends.push(resolve));
  return { work, begun: () => ends.length, end: (index: number) => ends[index]?.() };
};

it('begins no more work than there are places, and the rest in its order', async () => {
  const [places, open] = [createPlaces(2), openWork()];
  const all = [1, 2, 3, 4].map(() => places.take(open.work));
  await settled();
  expect(open.begun()).toBe(2);
  open.end(1);
  await settled();
  expect(open.begun()).toBe(3);
  open.end(0);
  open.end(2);
  await settled();
  open.end(3);
  await expect(Promise.all(all)).resolves.toHaveLength(4);
});

it('gives a place on when the work in it fails', async () => {
  const places = createPlaces(1);
  await expect(places.take(() => Promise.reject(new Error('away')))).rejects.toThrow('away');
  await expect(places.take(() => Promise.resolve('done'))).resolves.toBe('done');
});
