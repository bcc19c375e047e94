import type { Host } from '../../../../planning/fleet/fleet';
import { asOrderedBefore } from '../../../../planning/opening/earlier-order';
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
