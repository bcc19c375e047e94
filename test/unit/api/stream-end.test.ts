import { sharedEnd } from '../../../api/routes/event-stream';
import { type IdKey, idOf } from '../../../rules/cloud/id';

const [own, other] = [idOf('own'), idOf('other')];

/** A stream in memory, whose end is looked at. */
const aStream = () => {
  const events: { readonly position: bigint; readonly key: IdKey | null }[] = [];
  const newestAfter = (afterPosition: bigint) =>
    new Map(events.filter(({ position }) => position > afterPosition).map(({ position, key }) => [key, position]));
  const lookAtEnd = sharedEnd({
    read: () => Promise.resolve([]),
    newestPosition: () => Promise.resolve(events.at(-1)?.position ?? 0n),
    newestOfProjects: (afterPosition) => Promise.resolve(newestAfter(afterPosition)),
  });
  return {
    add: (position: bigint, key: IdKey | null) => void events.push({ position, key }),
    look() {
      jest.advanceTimersByTime(200);
      return lookAtEnd();
    },
  };
};

beforeEach(() => jest.useFakeTimers());
afterEach(() => jest.useRealTimers());

it('lets a client read whatever came before the first look', async () => {
  const stream = aStream();
  stream.add(3n, other.key);
  const end = await stream.look();
  expect(end.newest).toBe(3n);
  expect([own, other, null].map((client) => end.isBehind(2n, client))).toEqual([true, true, true]);
  expect([own, other, null].map((client) => end.isBehind(3n, client))).toEqual([false, false, false]);
});

it.each([
  { situation: 'an event of its project', key: own.key, read: { own: true, other: false } },
  { situation: 'an event of another project', key: other.key, read: { own: false, other: true } },
  { situation: 'an event for admins alone', key: null, read: { own: false, other: false } },
])('lets a client of all projects read, and one of a project as it has to: $situation', async ({ key, read }) => {
  const stream = aStream();
  stream.add(3n, other.key);
  await stream.look();
  stream.add(4n, key);
  const end = await stream.look();
  expect(end.newest).toBe(4n);
  expect(end.isBehind(3n, null)).toBe(true);
  expect({ own: end.isBehind(3n, own), other: end.isBehind(3n, other) }).toEqual(read);
  stream.add(5n, null);
  const later = await stream.look();
  expect({ own: later.isBehind(3n, own), other: later.isBehind(3n, other) }).toEqual(read);
  expect([own, other].map((client) => later.isBehind(4n, client))).toEqual([false, false]);
});
