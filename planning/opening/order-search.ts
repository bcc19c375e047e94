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
  /** What an order costs; and how it turned out, which need not be as it was given, but costs about the same. */
  readonly tryOut: (order: readonly number[]) => Tried;
  readonly tries: number;
  /**
   * How much more than the order that it changes another may well cost at first and still be gone on from: a share of
   * what `first` costs. It falls to nothing with the tries. Without it the search ends where no single change is better
   * (hill climbing); with it, it gets out of there as long as it is warm (simulated annealing).
   */
  readonly warmth?: number;
  /** Asked before each try: whether to end with fewer. */
  readonly isEnough?: () => boolean;
}

/**
 * The cheapest of `first` and `tries` changes of changes of it, as it turned out; of two that cost the same, the later
 * one.
 */
export function improved({ first, tryOut, tries, warmth = 0, isEnough = () => false }: Search): Tried {
  const random = randomNumbers();
  const triedOnce = first.order.length > mostRemembered ? tryOut : remembering(tryOut);
  let [best, current] = [first, first];
  for (let turn = 0; turn < tries; turn += 1) {
    if (isEnough()) break;
    const next = triedOnce(changed(current.order, random));
    const usualExtra = warmth * first.cost * (1 - turn / tries);
    if (!isGoneOnFrom(next.cost - current.cost, usualExtra, random)) continue;
    current = next;
    if (current.cost <= best.cost) best = current;
  }
  return best;
}

/**
 * As by Metropolis: always where it costs no more, and the less probable the more it does. On another machine the last
 * bit of the power may be another one, which would decide otherwise once in more tries than will ever be made.
 */
function isGoneOnFrom(extraCost: number, usualExtra: number, random: () => number): boolean {
  if (extraCost <= 0) return true;
  return usualExtra > 0 && random() < Math.exp(-extraCost / usualExtra);
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
