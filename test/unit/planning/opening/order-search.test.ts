import { improved } from '../../../../planning/opening/order-search';

/** How many neighbours are the wrong way round. */
const disorder = (order: readonly number[]): number =>
  order.filter((item, place) => item < (order[place - 1] ?? -Infinity)).length;
const tried = (order: readonly number[]): { order: readonly number[]; cost: number } => ({
  order,
  cost: disorder(order),
});

/** Too many to meet an order again soon. */
const many = Array.from({ length: 30 }, (_, number) => 29 - number);

describe('improved', () => {
  it('finds a cheaper order', () => {
    expect(improved(tried([4, 3, 2, 1, 0]), disorder, 2_000)).toEqual(tried([0, 1, 2, 3, 4]));
  });

  it('keeps the first where no change is cheaper', () => {
    const first = { order: [1, 0], cost: -1 };
    expect(improved(first, disorder, 50)).toBe(first);
  });

  it('asks only once what an order of few costs', () => {
    const seen: (readonly number[])[] = [];
    improved(tried([1, 0, 2]), (order) => seen.push(order), 200);
    expect(seen).toHaveLength(6);
  });

  it('tries as often as it may, and the same every time', () => {
    const orders = [0, 1].map(() => {
      const seen: (readonly number[])[] = [];
      improved(tried(many), (order) => seen.push(order), 20);
      return seen;
    });
    expect(orders[0]).toHaveLength(20);
    expect(orders[0]).toEqual(orders[1]);
  });
});
