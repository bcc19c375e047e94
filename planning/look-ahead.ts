/**
 * When the hosts that wait would best go under work. A host takes its room away from the fleet while it is emptied and
 * maintained, so the rest of a session is hosts to put beside and after each other into the room that is free; who goes
 * now decides whether the last round is full or holds a few stragglers. Orders are tried on expected times. What really
 * happens changes what the next decision expects, never whether it is safe.
 */
import { type Outlook, Rehearsal, type Stay } from './rehearsal';

const mostOrders = 1_000;
/** Comparing fewer tells too little. */
const leastOrders = 10;

/** Whether so many waiting hosts leave time to compare orders. */
export function mayLookAhead(waitingHosts: number, mostSteps: number): boolean {
  return mostSteps >= leastOrders * waitingHosts;
}

/**
 * The second from now at which each of the waiting hosts would start, by its position in `waiting`, in the order with
 * the earliest end that was found: to compare hosts by. The same outlook gives the same answer.
 *
 * @param mostSteps how many hosts may be put somewhere, over all orders that are tried: it bounds the time this takes
 */
export function plannedStarts(outlook: Outlook, mostSteps: number): readonly number[] {
  const count = outlook.waiting.length;
  if (count < 2) return outlook.waiting.map(() => 0);
  const orders = Math.min(mostOrders, Math.floor(mostSteps / count));
  const rehearsal = new Rehearsal(outlook);
  let best = bestOf(rehearsal, usualOrders(outlook.waiting));
  const random = randomNumbers();
  const costs = new Map<number, number>();
  for (let turn = 0; turn < orders; turn += 1) {
    const tried = tryOutOnce(rehearsal, costs, changed(best.order, random));
    if (tried.cost <= best.cost) best = tried;
  }
  rehearsal.run(best.order);
  return rehearsal.starts();
}

interface Tried {
  readonly order: readonly number[];
  readonly cost: number;
}

function tryOut(rehearsal: Rehearsal, order: readonly number[]): Tried {
  return { order, cost: rehearsal.run(order) };
}

/** So many hosts have few orders that are near each other: most are met again and again. */
const mostRemembered = 12;

/** @param costs of the orders of few hosts that were tried before */
function tryOutOnce(rehearsal: Rehearsal, costs: Map<number, number>, order: readonly number[]): Tried {
  if (order.length > mostRemembered) return tryOut(rehearsal, order);
  const key = order.reduce((digits, position) => digits * mostRemembered + position, 0);
  const known = costs.get(key);
  const cost = known ?? rehearsal.run(order);
  if (known === undefined) costs.set(key, cost);
  return { order, cost };
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

function bestOf(rehearsal: Rehearsal, orders: readonly (readonly number[])[]): Tried {
  return orders
    .map((order) => tryOut(rehearsal, order))
    .reduce((best, tried) => (tried.cost < best.cost ? tried : best));
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
