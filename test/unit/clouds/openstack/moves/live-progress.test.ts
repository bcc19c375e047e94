/** What the log keeps of a live migration in flight, look after look. */
import { seenNow, type SeenProgress } from '../../../../../clouds/openstack/moves/live-progress';

const [before, now] = [new Date('2026-01-01T12:00:00Z'), new Date('2026-01-01T12:01:00Z')];
const begun: SeenProgress = { queued: false, ranAt: null, leastLeft: null, progressAt: null };
const left = (bytes: number, status = 'running') => ({
  id: 1,
  status,
  memory_remaining_bytes: bytes,
  memory_total_bytes: 1_000,
});

it.each([
  { situation: 'Nova does not list it yet', known: begun, seen: undefined, expected: { ...begun, queued: true } },
  { situation: 'Nova has queued it', known: begun, seen: left(0, 'queued'), expected: { ...begun, queued: true } },
  {
    situation: 'it runs after it had waited',
    known: { ...begun, queued: true },
    seen: left(900),
    expected: { queued: false, ranAt: now, leastLeft: 900n, progressAt: null },
  },
  { situation: 'it runs at once', known: begun, seen: left(900), expected: { ...begun, leastLeft: 900n } },
  {
    situation: 'less is left',
    known: { ...begun, leastLeft: 900n },
    seen: left(800),
    expected: { ...begun, leastLeft: 800n, progressAt: now },
  },
  {
    situation: 'less than a hundredth was copied',
    known: { ...begun, leastLeft: 900n, progressAt: before },
    seen: left(895),
    expected: { ...begun, leastLeft: 900n, progressAt: before },
  },
  {
    situation: 'the guest writes faster than it is copied',
    known: { ...begun, leastLeft: 500n, progressAt: before },
    seen: left(700),
    expected: { ...begun, leastLeft: 500n, progressAt: before },
  },
  {
    situation: 'the hypervisor tells the whole and not what is left',
    known: begun,
    seen: { ...left(0), memory_remaining_bytes: null },
    expected: begun,
  },
  {
    situation: 'the hypervisor tells nothing any more',
    known: { ...begun, leastLeft: 100n, progressAt: before },
    seen: { id: 1, status: 'post-migrating', memory_remaining_bytes: null, memory_total_bytes: null },
    expected: { ...begun, leastLeft: 100n, progressAt: before },
  },
  {
    situation: 'Nova ends it, and lists it no more',
    known: { ...begun, leastLeft: 100n, progressAt: before },
    seen: undefined,
    expected: { ...begun, leastLeft: 100n, progressAt: before },
  },
])('$situation', ({ known, seen, expected }) => {
  expect(seenNow(known, seen, now)).toEqual(expected);
});

it.each([
  ...['accepted', 'queued', 'preparing'].map((status) => ({ status, queued: true })),
  ...['running', 'post-migrating', 'of a later Nova'].map((status) => ({ status, queued: false })),
])('a migration that is $status waits in Nova: $queued', ({ status, queued }) => {
  expect(seenNow(begun, left(900, status), now)).toMatchObject({ queued });
});
