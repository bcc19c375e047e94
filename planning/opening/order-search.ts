/**
 * Looks for a better order by changing one again and again, and remembers the best: the same request gives the same
 * answer.
 */

export interface Tried {
  readonly order: readonly number[];
  readonly cost: number;
}

export function cheapest(tried: readonly Tried[]): Tried {
  return tried.reduce((best, one) => (one.cost < best.cost ? one : best));
}

export interface Search {
  /** An order of numbers below 65,536. */
  readonly first: Tried;
  readonly tryOut: (order: readonly number[]) => Tried;
  readonly tries: number;
}

/** The cheapest of `first` and `tries` changes of changes of it; of two that cost the same, the later one. */
export function improved({ first, tryOut, tries }: Search): Tried {
  const random = randomNumbers();
  const triedOnce = first.order.length > mostRemembered ? tryOut : remembering(tryOut);
  let best = first;
  for (let turn = 0; turn < tries; turn += 1) {
    const next = triedOnce(changed(best.order, random));
    if (next.cost <= best.cost) best = next;
  }
  return best;
}

/** So many items have few orders that are near each other: most are met again and again. */
const mostRemembered = 12;

function remembering(tryOut: Search['tryOut']): Search['tryOut'] {
  const results = new Map<string, Tried>();
  return (order) => {
    const key = String.fromCharCode(...order);
    const result = results.get(key) ?? tryOut(order);
    results.set(key, result);
    return result;
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
