/**
 * When the hosts that wait would best go under work. A host takes its room away from the fleet while it is emptied and
 * maintained, so the rest of a session is hosts to put beside and after each other into the room that is free; who goes
 * now decides whether the last round is full or holds a few stragglers. Orders are tried on expected times. What really
 * happens changes what the next decision expects, never whether it is safe.
 */
import { type Tried, cheapest, improved } from './order-search';
import { type ForecastFacts, RoomForecast, type Stay } from './room-forecast';

/** More orders than this find little that is better. */
const mostOrders = 400;

export interface StartsRequest {
  /** How many hosts may be put somewhere, over all orders that are tried: it bounds the time this takes. */
  readonly mostSteps: number;
  /** An order that was found before, of all positions in `waiting`. */
  readonly before?: readonly number[] | undefined;
}

/**
 * The second from now at which each of the waiting hosts would start, by its position in `waiting`, in the order with
 * the least late ends (late-end.ts) that was found: to compare hosts by. The same request gives the same answer.
 */
export function plannedStarts(ahead: ForecastFacts, { mostSteps, before }: StartsRequest): readonly number[] {
  const count = ahead.waiting.length;
  if (count < 2) return ahead.waiting.map(() => 0);
  const orders = Math.min(mostOrders, Math.floor(mostSteps / count));
  const forecast = new RoomForecast(ahead);
  const tryOut = (order: readonly number[]): Tried => ({ order, cost: forecast.run(order) });
  const starts = [...usualOrders(ahead.waiting), ...(before ? [before] : [])];
  const best = improved({ first: cheapest(starts.map(tryOut)), tryOut, tries: orders });
  forecast.run(best.order);
  return forecast.starts();
}

/** Longest first, the most room for the longest time first, smallest first, shortest first. */
function usualOrders(waiting: readonly Stay[]): readonly (readonly number[])[] {
  const costs: readonly ((stay: Stay) => number)[] = [
    ({ seconds }) => -seconds,
    ({ seconds, vcpus }) => -seconds * vcpus,
    ({ vcpus }) => vcpus,
    ({ seconds }) => seconds,
  ];
  return costs.map((cost) => {
    const costed = waiting.map((stay, position) => ({ position, cost: cost(stay) }));
    return costed.sort((one, other) => one.cost - other.cost).map(({ position }) => position);
  });
}
