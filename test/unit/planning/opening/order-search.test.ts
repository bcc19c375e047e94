import { type Tried, improved } from '../../../../planning/opening/order-search';

/** The number of neighbours in the wrong order. */
const disorder = (order: readonly number[]): number =>
  order.filter((item, place) => item < (order[place - 1] ?? -Infinity)).length;
const tried = (order: readonly number[]): Tried => ({ order, cost: disorder(order) });

/** Too many to meet an order again soon. */
const many = Array.from({ length: 30 }, (_, number) => 29 - number);

/** Tries orders out, and records which. */
const recorder = (): { seen: (readonly number[])[]; tryOut: (order: readonly number[]) => Tried } => {
  const seen: (readonly number[])[] = [];
  return {
    seen,
    tryOut: (order) => {
      seen.push(order);
      return tried(order);
    },
  };
};

describe('improved', () => {
  it('finds a cheaper order', () => {
    expect(improved({ first: tried([4, 3, 2, 1, 0]), tryOut: tried, tries: 2_000 })).toEqual(tried([0, 1, 2, 3, 4]));
  });

  it('keeps the first where no change is cheaper', () => {
    const first = { order: [1, 0], cost: -1 };
    expect(improved({ first, tryOut: tried, tries: 50 })).toBe(first);
  });

  it('asks only once what an order of few costs', () => {
    const { seen, tryOut } = recorder();
    improved({ first: tried([1, 0, 2]), tryOut, tries: 200 });
    expect(seen).toHaveLength(6);
  });

  it('tries as often as it may, and the same every time', () => {
    const orders = [0, 1].map(() => {
      const { seen, tryOut } = recorder();
      improved({ first: tried(many), tryOut, tries: 20 });
      return seen;
    });
    expect(orders[0]).toHaveLength(20);
    expect(orders[0]).toEqual(orders[1]);
  });

  it('stays where no single change makes the order cheaper', () => {
    /** Nearer to having its items in order is dearer, until they are. */
    const deceptive = (order: readonly number[]): Tried => {
      const cost = disorder(order);
      return { order, cost: cost === 0 ? 1 : 100 - cost };
    };
    const first = deceptive([3, 2, 1, 0]);
    expect(improved({ first, tryOut: deceptive, tries: 500 }).cost).toBe(first.cost);
  });
});
