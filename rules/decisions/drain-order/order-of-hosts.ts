/**
 * The order in which `vnf` tries to drain the hosts that wait: the one door to this folder (`default` takes the
 * cheapest one: both-workflows/cheapest-to-drain.ts). `startDraining` (vnf/start-draining.ts) sorts it by `byRequest`
 * afterwards, so that hosts that an admin wants `first` come before the others; empty hosts skip the order. The order
 * decides how long a session takes, never what is safe: whether a host may be drained now is decided elsewhere. `k8s`
 * needs no forecast: it takes first the hosts from which the fewest instances move, and those last on which one is
 * waited for (fewest-first.ts). Hosts with members of one unit come one after the other (units-together.ts).
 */
import type { VnfFacts } from '../both-workflows/session-facts';
import type { Host } from '../fleet/fleet';
import { fewestFirst } from './fewest-first';
import { forecastFactsOf } from './forecast-facts';
import { bestForecast } from './search';
import { unitsTogether } from './units-together';

/** Search a new order once one in this many hosts of the order has gone under work. */
const hostsForEachGone = 25;

export interface OrderOfHosts {
  readonly hosts: readonly Host[];
  /** True when it was found now, so that it has to be recorded with the decision. */
  readonly isNew: boolean;
}

/**
 * @param waiting the session's hosts that wait and are not empty, whether they may be drained now or not
 * @returns all of them; the same facts give the same order
 */
export const orderOf = (facts: VnfFacts, waiting: readonly Host[]): OrderOfHosts => {
  const { hosts, isNew } = orderOfEach(facts, waiting);
  return { hosts: unitsTogether(facts.model, hosts), isNew };
};

const orderOfEach = (facts: VnfFacts, waiting: readonly Host[]): OrderOfHosts => {
  const { drainOrder, limits } = facts;
  if (limits.drainsFewestFirst) return { hosts: fewestFirst(facts, waiting), isNew: false };
  if (!drainOrder) return { hosts: forecastOrder(facts, waiting), isNew: true };
  const left = new Map(waiting.map((host) => [host.name, host]));
  const known = drainOrder.flatMap((name) => left.get(name) ?? []);
  const areAllKnown = known.length === waiting.length;
  const isStillTheOrder = (drainOrder.length - waiting.length) * hostsForEachGone < drainOrder.length;
  if (areAllKnown && isStillTheOrder) return { hosts: known, isNew: false };
  for (const { name } of known) left.delete(name);
  return { hosts: forecastOrder(facts, waiting, [...known, ...left.values()]), isNew: true };
};

/** Orders the hosts by the start that a forecast plans for each. */
const forecastOrder = (facts: VnfFacts, waiting: readonly Host[], before?: readonly Host[]): readonly Host[] => {
  const positionOf = new Map(waiting.map((host, position) => [host, position]));
  const positions = before?.map((host) => positionOf.get(host) ?? 0);
  const { starts } = bestForecast(forecastFactsOf(facts, waiting), positions);
  const startOf = (host: Host): number => starts[positionOf.get(host) ?? 0] ?? 0;
  return waiting.toSorted((one, other) => startOf(one) - startOf(other));
};
