/** Looks for a better order by changing the best one so far, again and again: the same request gives the same answer. */

export interface Tried {
  readonly order: readonly number[];
  readonly cost: number;
}

/** The cheapest of `tries` changes of changes of the order; of two that cost the same, the later one. */
export function improved(first: Tried, costOf: (order: readonly number[]) => number, tries: number): Tried {
  const random = randomNumbers();
  let best = first;
  for (let turn = 0; turn < tries; turn += 1) {
    const order = changed(best.order, random);
    const cost = costOf(order);
    if (cost <= best.cost) best = { order, cost };
  }
  return best;
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
