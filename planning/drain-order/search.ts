/**
 * Looks for a good order of the hosts that wait. They take their capacity out of the fleet for the time of their drain
 * and maintenance, so the rest of a session is hosts to put beside and after each other into the free capacity; the
 * order decides whether the last round is full or holds a few stragglers.
 */
import { type Forecast, forecast, type ForecastFacts, forecastWithin, type Stay } from './forecast';

/** More orders than this find little that is better. */
const mostOrders = 400;

/**
 * Places at most this many hosts over all orders that are compared: 120 orders of 1,000 hosts. It bounds the time of a
 * decision. With a third of it, sessions of 1,000 hosts took 5 % longer; with twice as much, 2 % less.
 */
const mostSteps = 120_000;

/**
 * The best of some usual orders, the one from before, and changes of the best so far. The same facts give the same.
 *
 * @param before an order that was found before, of all positions among the waiting
 * @param stepsFromBefore the hosts that are placed at most where there is one
 */
export const bestForecast = (
  facts: ForecastFacts,
  before?: readonly number[],
  stepsFromBefore = mostSteps,
): Forecast => {
  const orders = [...usualOrders(facts.waiting), ...(before ? [before] : [])];
  const forecasts = orders.map((order) => forecast(facts, order));
  let best = forecasts.reduce((cheapest, one) => (one.cost < cheapest.cost ? one : cheapest));
  const count = facts.waiting.length;
  const random = randomNumbers();
  const tries = count < 2 ? 0 : Math.min(mostOrders, Math.floor((before ? stepsFromBefore : mostSteps) / count));
  for (let turn = 0; turn < tries; turn += 1) {
    const next = forecastWithin(facts, changed(best.order, random), best.cost);
    // Of orders that cost the same the later one, so that the search goes on to others.
    if (next && next.cost <= best.cost) best = next;
  }
  return best;
};

/** Longest first, the most capacity for the longest time first, smallest first, shortest first. */
const usualOrders = (waiting: readonly Stay[]): readonly (readonly number[])[] => {
  const costs: readonly ((stay: Stay) => number)[] = [
    ({ seconds }) => -seconds,
    ({ seconds, vcpus }) => -seconds * vcpus,
    ({ vcpus }) => vcpus,
    ({ seconds }) => seconds,
  ];
  return costs.map((costOf) =>
    waiting
      .map((stay, position) => ({ position, cost: costOf(stay) }))
      .sort((one, other) => one.cost - other.cost)
      .map(({ position }) => position),
  );
};

/** Two hosts change places, or one goes elsewhere. */
const changed = (order: readonly number[], random: () => number): readonly number[] => {
  const [from, to] = [Math.floor(random() * order.length), Math.floor(random() * order.length)];
  const [moved = 0, other = 0] = [order[from], order[to]];
  if (random() < 0.5) return order.with(from, other).with(to, moved);
  return order.toSpliced(from, 1).toSpliced(to, 0, moved);
};

/** From 0 to below 1, always the same ones (a linear congruential generator): planning has no randomness of its own. */
const randomNumbers = (): (() => number) => {
  let state = 12_345;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
};
