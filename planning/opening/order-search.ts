/** Looks for a better order by changing the best one so far, again and again: the same request gives the same answer. */

export interface Tried {
  readonly order: readonly number[];
  readonly cost: number;
}

export function cheapest(tried: readonly Tried[]): Tried {
  return tried.reduce((best, one) => (one.cost < best.cost ? one : best));
}

/**
 * The cheapest of `tries` changes of changes of the order; of two that cost the same, the later one.
 *
 * @param first an order of numbers below 65,536
 */
export function improved(first: Tried, costOf: (order: readonly number[]) => number, tries: number): Tried {
  const random = randomNumbers();
  const costOnce = first.order.length > mostRemembered ? costOf : remembering(costOf);
  let best = first;
  for (let turn = 0; turn < tries; turn += 1) {
    const order = changed(best.order, random);
    const cost = costOnce(order);
    if (cost <= best.cost) best = { order, cost };
  }
  return best;
}

/** So many items have few orders that are near each other: most are met again and again. */
const mostRemembered = 12;

function remembering(costOf: (order: readonly number[]) => number): (order: readonly number[]) => number {
  const costs = new Map<string, number>();
  return (order) => {
    const key = String.fromCharCode(...order);
    const cost = costs.get(key) ?? costOf(order);
    costs.set(key, cost);
    return cost;
  };
}

/** Two change places, or one goes elsewhere. */
function changed(order: readonly number[], random: () => number): readonly number[] {
  const [from, to] = [Math.floor(random() * order.length), Math.floor(random() * order.length)];
  const [moved = 0, other = 0] = [order[from], order[to]];
  if (random() < 0.5) return order.with(from, other).with(to, moved);
  return order.toSpliced(from, 1).toSpliced(to, 0, moved);
}

/** From 0 to below 1, always the same ones (a linear congruential generator): planning has no randomness of its own. */
function randomNumbers(): () => number {
  let state = 12_345;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}
