/**
 * Looks for a good order of the hosts that wait. A host takes its capacity out of the fleet while it is away, so only
 * some can be away at once. The order decides whether the last hosts are away together, or one after the other.
 */
import { type Forecast, Forecaster } from './forecast';
import type { ForecastFacts, Stay } from './stay';

/** More orders than this find little that is better. */
const mostOrders = 400;

/** A single change hardly matters among many hosts: change the order in one further place for each this many hosts. */
const hostsForEachChange = 100;

/**
 * Places at most this many hosts over all orders that are compared: 40 orders of 1,000 hosts. It bounds the time of a
 * decision.
 */
const mostSteps = 40_000;

/**
 * A new order has to cost so much less than the one before, as a share of it. Owners are told when the turn of their
 * instances comes, and a search at other times finds other orders that are hardly better. Among many hosts each search
 * finds little, and all of them together much.
 */
const leastGain = (hostCount: number): number => 0.05 * Math.min(1, (100 / hostCount) ** 2);

/**
 * The best of some usual orders, the order from before, and changes of the best one so far; but the order from before
 * where none is much better. The same facts give the same order.
 *
 * @param before an order that was found before; it has every position among the waiting once
 */
export const bestForecast = (facts: ForecastFacts, before?: readonly number[]): Forecast => {
  const forecaster = new Forecaster(facts);
  const best = searched(forecaster, facts, before);
  const kept = before && forecaster.forecast(before, best.cost / (1 - leastGain(before.length)));
  return kept === undefined || kept.cost === Infinity ? best : kept;
};

const searched = (forecaster: Forecaster, facts: ForecastFacts, before?: readonly number[]): Forecast => {
  const [first = [], ...others] = [...usualOrders(facts.waiting), ...(before ? [before] : [])];
  let best = forecaster.forecast(first);
  for (const order of others) {
    const next = forecaster.forecast(order, best.cost);
    if (next.cost < best.cost) best = next;
  }
  const count = facts.waiting.length;
  const random = randomNumbers();
  const tries = count < 2 ? 0 : Math.min(mostOrders, Math.floor(mostSteps / count));
  for (let turn = 0; turn < tries; turn += 1) {
    const changes = 1 + (turn % (1 + Math.floor(count / hostsForEachChange)));
    const next = forecaster.forecast(changed(best.order, changes, random), best.cost);
    // Takes the later of two orders that cost the same, so that the search goes on to others.
    if (next.cost <= best.cost) best = next;
  }
  return best;
};

/** Longest first, the most capacity for the longest time first, smallest first, shortest first. */
const usualOrders = (waiting: readonly Stay[]): readonly (readonly number[])[] => {
  const costs: readonly ((stay: Stay) => number)[] = [
    ({ seconds }) => -seconds,
    ({ seconds, weight }) => -seconds * weight,
    ({ weight }) => weight,
    ({ seconds }) => seconds,
  ];
  return costs.map((costOf) =>
    waiting
      .map((stay, position) => ({ position, cost: costOf(stay) }))
      .sort((one, other) => one.cost - other.cost)
      .map(({ position }) => position),
  );
};

/** Changes an order: in each change two hosts change places, or one goes elsewhere. */
const changed = (order: readonly number[], changes: number, random: () => number): readonly number[] => {
  const next = [...order];
  for (let left = changes; left > 0; left -= 1) {
    const [from, to] = [Math.floor(random() * next.length), Math.floor(random() * next.length)];
    const [moved = 0, other = 0] = [next[from], next[to]];
    if (random() < 0.5) [next[from], next[to]] = [other, moved];
    else next.splice(to, 0, ...next.splice(from, 1));
  }
  return next;
};

/**
 * Gives numbers from 0 to below 1, always the same ones (a linear congruential generator): decisions have no randomness
 * of their own.
 */
const randomNumbers = (): (() => number) => {
  let state = 12_345;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
};
