import fc from 'fast-check';
import { OpeningQueue } from '../../../../planning/opening/opening-queue';
import type { Host } from '../../../../planning/fleet/fleet';
import { aHostIn } from '../../../builders/a-fleet';

const hosts = ['a', 'b', 'c'].map((name) => aHostIn('waiting', name));

const namesOf = (costs: Readonly<Record<string, number>>): readonly (string | undefined)[] => {
  const queue = new OpeningQueue(hosts, ({ name }) => costs[name] ?? 0);
  return hosts.map(() => queue.take()?.name);
};

it('gives the cheapest first', () => {
  expect(namesOf({ a: 2, b: 1, c: 0.5 })).toEqual(['c', 'b', 'a']);
});

it('gives those that are alike in the order they came in', () => {
  expect(namesOf({})).toEqual(['a', 'b', 'c']);
});

it('ends', () => {
  expect(new OpeningQueue([], () => 0).take()).toBeUndefined();
});

it('gives the host that is first by what the hosts cost when it is asked, however costs have grown', () => {
  const growths = fc.array(fc.record({ at: fc.nat(19), by: fc.nat(5) }), { minLength: 20, maxLength: 20 });
  fc.assert(
    fc.property(fc.array(fc.nat(9), { minLength: 20, maxLength: 20 }), growths, (first, grown) => {
      const costs = [...first];
      const all = costs.map((_, position): Host => aHostIn('waiting', String(position)));
      const costOf = ({ name }: Host): number => costs[Number(name)] ?? 0;
      const queue = new OpeningQueue(all, costOf);
      const left = new Set(all);
      for (const { at, by } of grown) {
        const taken = queue.take()!;
        expect(costOf(taken)).toBe(Math.min(...[...left].map(costOf)));
        left.delete(taken);
        costs[at]! += by;
      }
      expect(left.size).toBe(0);
    }),
  );
});
