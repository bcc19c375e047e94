import { improved } from '../../../../planning/opening/order-search';

/** How many neighbours are the wrong way round. */
const disorder = (order: readonly number[]): number =>
  order.filter((item, place) => item < (order[place - 1] ?? -Infinity)).length;
const tried = (order: readonly number[]): { order: readonly number[]; cost: number } => ({
  order,
  cost: disorder(order),
});

const seed = 12_345;
/** Too many to meet an order again soon. */
const many = Array.from({ length: 30 }, (_, number) => 29 - number);

describe('improved', () => {
  it('finds a cheaper order', () => {
    expect(improved(tried([4, 3, 2, 1, 0]), disorder, { tries: 2_000, seed })).toEqual(tried([0, 1, 2, 3, 4]));
  });

  it('keeps the first where no change is cheaper', () => {
    const first = { order: [1, 0], cost: -1 };
    expect(improved(first, disorder, { tries: 50, seed })).toBe(first);
  });

  it('asks only once what an order of few costs', () => {
    const seen: (readonly number[])[] = [];
    improved(tried([1, 0, 2]), (order) => seen.push(order), { tries: 200, seed });
    expect(seen).toHaveLength(6);
  });

  const triedWith = (seed: number): readonly (readonly number[])[] => {
    const seen: (readonly number[])[] = [];
    improved(tried(many), (order) => seen.push(order), { tries: 20, seed });
    return seen;
  };

  it('tries as often as it may, and the same every time', () => {
    expect(triedWith(seed)).toHaveLength(20);
    expect(triedWith(seed)).toEqual(triedWith(seed));
  });

  it.each([1, 1_000, 1_795_347_861_250])('tries other changes with another seed: %d more', (more) => {
    expect(triedWith(seed + more)).not.toEqual(triedWith(seed));
  });
});
