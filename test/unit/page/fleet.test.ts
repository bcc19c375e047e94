/** The honeycomb of the hosts, and the hosts that are left over time. */
import fc from 'fast-check';
import type { Host, Plan } from '../../../page/client/types';
import { burnDownOf, paceOf } from '../../../page/fleet/burn-down';
import { cellAfterKey, cellAt, combOf, middleOf, outlineOfCells, radiusFor } from '../../../page/fleet/honeycomb';

describe('the honeycomb', () => {
  it('has every cell within the picture, and finds it by any point of it', () => {
    const anyComb = fc.record({
      count: fc.integer({ min: 1, max: 3_000 }),
      width: fc.integer({ min: 60, max: 1_600 }),
      share: fc.double({ min: 0, max: 1, noNaN: true, maxExcluded: true }),
    });
    fc.assert(
      fc.property(anyComb, ({ count, width, share }) => {
        const comb = combOf(count, width, radiusFor(count));
        const index = Math.floor(share * count);
        const { x, y } = middleOf(index, comb);
        expect(x + comb.radius * 0.86).toBeLessThanOrEqual(Math.max(width, 4 * comb.radius));
        expect(y + comb.radius).toBeLessThanOrEqual(comb.height + 1e-6);
        expect(cellAt({ x, y }, comb)).toBe(index);
        expect(cellAt({ x: x + comb.radius * 0.4, y: y - comb.radius * 0.3 }, comb)).toBe(index);
      }),
    );
  });

  it('has nothing beside its cells', () => {
    const comb = combOf(5, 1_000, 10);
    expect(cellAt({ x: 900, y: 10 }, comb)).toBeUndefined();
    expect(cellAt({ x: 10, y: 400 }, comb)).toBeUndefined();
    expect(outlineOfCells([0, 1], comb).match(/M/g)).toHaveLength(2);
  });

  it.each([
    { key: 'ArrowRight', at: 3, to: 4 },
    { key: 'ArrowDown', at: 3, to: 13 },
    { key: 'ArrowUp', at: 3, to: undefined },
    { key: 'End', at: 3, to: 24 },
    { key: 'Home', at: 3, to: 0 },
    { key: 'a', at: 3, to: undefined },
  ])('leads from cell $at by $key to $to', ({ key, at, to }) => {
    const comb = { count: 25, columns: 10, radius: 10, width: 200, height: 60 };
    expect(cellAfterKey(key, at, comb)).toBe(to);
  });
});

const at = (minutes: number): string => new Date(minutes * 60_000).toISOString();
const ms = (minutes: number): number => minutes * 60_000;

const aHost = (hostname: string, phase: Host['phase'], since: number) => ({ hostname, phase, phase_since: at(since) });

const aPlan = (ends: Record<string, number>): Pick<Plan, 'hosts' | 'ends_at'> => ({
  hosts: Object.entries(ends).map(([hostname, end]) => ({
    ...{ hostname, type: 'compute', phase: 'waiting', ends_as: 'maintained', drain: null, move_count: 0 },
    maintenance: { from: at(0), to: at(end) },
  })),
  ends_at: { earliest: at(90), expected: at(120), latest: at(180) },
});

describe('the hosts that are left', () => {
  const session = { begun_at: at(0), created_at: at(-60) };
  const hosts = [
    aHost('a', 'maintained', 20),
    aHost('b', 'set_aside', 40),
    aHost('c', 'emptying', 50),
    aHost('d', 'waiting', 0),
  ];
  const down = burnDownOf({ hosts, plan: aPlan({ c: 80, d: 120, a: 10 }), session, atMs: ms(60) });
  const shown = (steps: typeof down.past) => steps.map(({ atMs, left }) => [atMs / 60_000, left]);

  it('were fewer with each host that was done, and are expected by the plan from now on', () => {
    expect(shown(down.past)).toEqual([
      [0, 4],
      [20, 3],
      [40, 2],
      [60, 2],
    ]);
    expect(shown(down.expected)).toEqual([
      [60, 2],
      [80, 1],
      [120, 0],
    ]);
  });

  it('lie in a range that ends with that of the plan', () => {
    expect([down.earliest.at(-1)?.atMs, down.latest.at(-1)?.atMs]).toEqual([ms(90), ms(180)]);
  });

  it('tell the pace in hosts an hour', () => {
    expect(paceOf(down)).toEqual({ lately: 2, sinceBegin: 2, byPlan: 2 });
  });

  it('are all there before the begin, and no pace is known then', () => {
    const early = burnDownOf({ hosts: [aHost('a', 'waiting', 0)], plan: undefined, session, atMs: ms(0) });
    expect(shown(early.past)).toEqual([
      [0, 1],
      [0, 1],
    ]);
    expect(paceOf(early)).toEqual({ lately: undefined, sinceBegin: undefined, byPlan: undefined });
  });
});
