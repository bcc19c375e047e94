import { type Tried, improved } from '../../../../planning/opening/order-search';

/** How many neighbours are the wrong way round. */
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

  it.each([0, 0.5])('tries as often as it may, and the same every time: warmth %d', (warmth) => {
    const orders = [0, 1].map(() => {
      const { seen, tryOut } = recorder();
      improved({ first: tried(many), tryOut, tries: 20, warmth });
      return seen;
    });
    expect(orders[0]).toHaveLength(20);
    expect(orders[0]).toEqual(orders[1]);
  });

  it('ends with what it has where that is enough', () => {
    const { seen, tryOut } = recorder();
    improved({ first: tried(many), tryOut, tries: 20, isEnough: () => seen.length >= 7 });
    expect(seen).toHaveLength(7);
  });

  it('goes on from an order as it turned out', () => {
    const sorted = many.toSorted((one, other) => one - other);
    const { seen, tryOut } = recorder();
    const turnedOut = (order: readonly number[]): Tried => ({ ...tryOut(order), order: sorted });
    expect(improved({ first: tried(many), tryOut: turnedOut, tries: 2 }).order).toEqual(sorted);
    expect(disorder(seen[0] ?? [])).toBeGreaterThan(20);
    expect(disorder(seen[1] ?? [])).toBeLessThan(5);
  });

  describe('where no single change makes the order cheaper', () => {
    /** Nearer to having its items in order is dearer, until they are. */
    const deceptive = (order: readonly number[]): Tried => {
      const cost = disorder(order);
      return { order, cost: cost === 0 ? 1 : 100 - cost };
    };
    const first = deceptive([3, 2, 1, 0]);
    const request = { first, tryOut: deceptive, tries: 500 };

    it('stays without warmth', () => {
      expect(improved(request).cost).toBe(first.cost);
    });

    it('finds a way out while it is warm', () => {
      expect(improved({ ...request, warmth: 0.02 })).toEqual({ order: [0, 1, 2, 3], cost: 1 });
    });
  });

  it('gives the cheapest that it met, wherever it went from there', () => {
    const { seen, tryOut } = recorder();
    const first = { order: many, cost: 1 };
    const dearer = (order: readonly number[]): Tried => ({ ...tryOut(order), cost: 2 });
    expect(improved({ first, tryOut: dearer, tries: 200, warmth: 100 })).toBe(first);
    expect(disorder(seen.at(-1) ?? [])).toBeLessThan(25);
  });

  it('cools down: in the end it leaves no order for a much dearer one', () => {
    const sorted = Array.from({ length: 14 }, (_, number) => number);
    const { seen, tryOut } = recorder();
    improved({ first: { order: sorted, cost: 1 }, tryOut, tries: 2_000, warmth: 2 });
    const disorders = seen.map((order) => disorder(order));
    expect(Math.max(...disorders.slice(0, 1_000))).toBeGreaterThan(8);
    expect(Math.max(...disorders.slice(-50))).toBeLessThan(6);
  });
});
