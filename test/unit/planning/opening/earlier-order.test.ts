import type { Host } from '../../../../planning/fleet/fleet';
import { asOrderedBefore, isStillTheOrder } from '../../../../planning/opening/earlier-order';
import { aHostIn } from '../../../builders/a-fleet';

const [a, b, c] = ['a', 'b', 'c'].map((name) => aHostIn('waiting', name)) as [Host, Host, Host];

describe('asOrderedBefore', () => {
  it.each([
    { what: 'keeps the order', names: ['c', 'a', 'b'], order: [c, a, b] },
    { what: 'leaves out hosts that wait no more', names: ['c', 'gone', 'b', 'a'], order: [c, b, a] },
    { what: 'puts hosts that came since last, as they are', names: ['c'], order: [c, a, b] },
    { what: 'changes nothing where nothing was planned', names: [], order: [a, b, c] },
  ])('$what', ({ names, order }) => {
    expect(asOrderedBefore(names, [a, b, c])).toEqual(order);
  });
});

describe('isStillTheOrder', () => {
  const names = Array.from({ length: 101 }, (_, number) => `host-${number}`);
  const waiting = (left: readonly string[]): readonly Host[] => left.map((name) => aHostIn('waiting', name));

  it.each([
    { what: 'nothing has happened', left: names, holds: true },
    { what: 'one in fifty has gone', left: names.slice(2), holds: true },
    { what: 'more have gone', left: names.slice(3), holds: false },
    { what: 'one of few has gone', among: names.slice(0, 20), left: names.slice(1, 20), holds: false },
    { what: 'one came that it does not know', left: [...names.slice(1), 'new'], holds: false },
  ])('where $what: $holds', ({ among = names, left, holds }) => {
    expect(isStillTheOrder(among, waiting(left))).toBe(holds);
  });
});
