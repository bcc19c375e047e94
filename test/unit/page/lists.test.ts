import fc from 'fast-check';
import { leftNow, serviceNow } from '../../../page/live/count-down';
import { groupedBlockers } from '../../../page/parts/blocker-groups';
import { rowAfterKey, rowsInSight } from '../../../page/parts/virtual';
import type { HostOfTimeline } from '../../../page/timeline/layout';
import { hostsInOrder } from '../../../page/timeline/order';

const aHost = (hostname: string, phase: HostOfTimeline['phase'], since = '01:00'): HostOfTimeline => ({
  ...{ hostname, phase, phase_since: `2026-01-05T${since}:00Z`, waiting: null },
  ...{ drain_started_at: null, past_phases: [] },
});

describe('the hosts of a session', () => {
  const hosts = [
    aHost('compute-1', 'maintained', '02:00'),
    aHost('compute-2', 'waiting'),
    aHost('compute-3', 'emptying', '02:30'),
    aHost('compute-10', 'waiting'),
    aHost('compute-4', 'maintained', '02:10'),
    aHost('compute-5', 'failed'),
    aHost('compute-6', 'maintaining', '02:20'),
  ];
  const turns = new Map([['compute-10', 1]]);
  const names = (phases: HostOfTimeline['phase'][], text = ''): string[] =>
    hostsInOrder(hosts, { phases: new Set(phases), text }, (name) => turns.get(name)).map(({ hostname }) => hostname);

  it('stand with trouble and work first, then by their turn, then what ended last', () => {
    expect(names([])).toEqual([
      ...['compute-5', 'compute-6', 'compute-3', 'compute-10', 'compute-2', 'compute-4', 'compute-1'],
    ]);
  });

  it('can be narrowed down by phase and by a part of the name', () => {
    expect(names(['waiting'])).toEqual(['compute-10', 'compute-2']);
    expect(names([], 'TE-1')).toEqual(['compute-10', 'compute-1']);
  });
});

describe('a long list', () => {
  it('has the rows there that are in sight, and few others', () => {
    const anyScroll = fc.record({
      ...{ top: fc.nat(40_000), height: fc.integer({ min: 1, max: 1_200 }), count: fc.nat(1_500) },
      rowHeight: fc.constant(32),
    });
    fc.assert(
      fc.property(anyScroll, (scrolled) => {
        const { first, end } = rowsInSight(scrolled);
        const wanted = Math.min(scrolled.count, Math.floor(scrolled.top / 32) + 1);
        expect(first).toBeLessThanOrEqual(Math.max(0, wanted - 1));
        expect(end).toBeLessThanOrEqual(scrolled.count);
        expect(end - first).toBeLessThanOrEqual(Math.ceil(scrolled.height / 32) + 18);
      }),
    );
  });

  it.each([
    { key: 'ArrowDown', at: 4, to: 5 },
    { key: 'ArrowUp', at: 0, to: 0 },
    { key: 'PageDown', at: 95, to: 99 },
    { key: 'End', at: 0, to: 99 },
    { key: 'Home', at: 50, to: 0 },
    { key: 'a', at: 50, to: undefined },
  ])('leads from row $at by $key to $to', ({ key, at, to }) => {
    expect(rowAfterKey(key, at, { count: 100, page: 10 })).toBe(to);
  });
});

describe('what is left', () => {
  it('counts down from what the API told, never below nothing, and bears a clock that was set back', () => {
    expect([0, 5_000, 90_000, -60_000].map((passed) => leftNow(60, 1_000, 1_000 + passed))).toEqual([60, 55, 0, 60]);
    expect(leftNow(null, 0, 0)).toBeNull();
  });

  it('goes by the clock of the service', () => {
    const seen = { body: { now: '2026-01-05T03:00:00Z' }, atMs: 7_000 };
    expect(new Date(serviceNow(seen, 9_000)).toISOString()).toBe('2026-01-05T03:00:02.000Z');
  });
});

it('blockers that say the same of many hosts are one', () => {
  const aBlocker = (name: string, help = 'wait') => ({
    ...{ kind: 'host_in_other_session', severity: 'stops', when: 'now', subject_kind: 'host', subject: name, help },
    ...{ subject_name: name, owner: 'admin', project_id: null, because: `${name} is taken`, missing: null },
  });
  const groups = groupedBlockers([aBlocker('a'), aBlocker('b'), aBlocker('c', 'skip it')] as never);
  expect(groups.map(({ first, others }) => [first.subject, others])).toEqual([
    ['a', ['b']],
    ['c', []],
  ]);
});
