import { LiveFleet } from '../../../../planning/live/live-fleet';
import type { Host } from '../../../../planning/fleet/fleet';
import { aClaim, aFleet, aHost, aHostIn, anInstance } from '../../../builders/a-fleet';

const nowMs = 0;
const [away, first, second] = [aHostIn('emptying', 'away'), aHostIn('waiting', 'first'), aHostIn('waiting', 'second')];
const moving = anInstance({ id: 'moving', host: 'away' });

/** Nothing more can be opened; an instance is on its way from `away` to `first`. */
const aTriedFleet = (hosts: readonly Host[] = [away, first, second]): LiveFleet => {
  const claims = [aClaim({ instanceId: 'moving', phase: 'moving', source: 'away', target: 'first' })];
  const live = new LiveFleet(aFleet({ hosts, instances: [moving], claims }), nowMs);
  live.news.clear();
  return live;
};

const openable = ({ news }: LiveFleet): readonly string[] =>
  [first, second].filter((host) => news.mayOpen(host)).map(({ name }) => name);

describe('which hosts are worth another try', () => {
  it('is all at first', () => {
    const live = new LiveFleet(aFleet({ hosts: [first, second], instances: [] }), nowMs);
    expect(live.news.isAny).toBe(true);
    expect(openable(live)).toEqual(['first', 'second']);
  });

  it('is none when nothing happened since all were tried', () => {
    const live = aTriedFleet();
    expect(live.news.isAny).toBe(false);
    expect(openable(live)).toEqual([]);
  });

  it('is the one alone that something was on its way to', () => {
    const live = aTriedFleet();
    const claim = live.claimByInstance.get('moving')!;
    live.setInstance({ ...moving, host: 'first' });
    live.setClaim({ ...claim, phase: 'recovering', recoversAtMs: 60_000 });
    expect(openable(live)).toEqual(['first']);
  });

  it('is all, to be begun with alone, when a host is in maintenance', () => {
    const live = aTriedFleet();
    live.setHost(aHostIn('maintaining', 'away'));
    expect(openable(live)).toEqual([]);
    expect([first, second].filter((host) => live.news.mayOpenAhead(host))).toHaveLength(2);
  });

  it.each([
    ['a host is back from maintenance', (live: LiveFleet) => live.setHost(aHostIn('maintained', 'away'))],
    ['a move is given up', (live: LiveFleet) => live.removeClaim('moving')],
    ['an instance appears', (live: LiveFleet) => live.setInstance(anInstance({ id: 'new', host: 'second' }))],
  ])('is all when %s', (_, happen) => {
    const live = aTriedFleet();
    happen(live);
    expect(openable(live)).toEqual(['first', 'second']);
  });

  it('is none when a host is looked up again that has not changed', () => {
    const live = aTriedFleet([away, first, second, aHost({ name: 'spare' })]);
    live.setHost(aHost({ name: 'spare' }));
    expect(live.news.isAny).toBe(false);
  });
});
