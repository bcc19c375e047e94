/**
 * A better order for hosts that wait, found by playing the rest of the session on expected times for many of them. What
 * is planned by rooms and queues alone (look-ahead.ts) is where the search begins.
 */
import type { Host } from '../fleet/fleet';
import { FullRehearsal } from './full-rehearsal';
import { improved } from './order-search';
import { scriptOf } from './script';
import type { VnfFacts } from '../live/vnf-facts';

const mostPlays = 100;
/** Over all plays of one decision (full-rehearsal.ts, steps): it bounds the time a decision takes. */
const mostSteps = 100_000;
/** In larger clouds the beginning of a play alone, with everything that is there at its place, takes too long. */
const mostPlayed = 6_000;
/** Hosts are looked at more often than instances in a play. */
const instancesPerHost = 3;

/**
 * @param planned all hosts of the session that wait and are not empty, in the order they would be opened in
 * @returns the same where there is no better one, or the cloud is too large to play
 */
export function rehearsedOrder(facts: VnfFacts, planned: readonly Host[]): readonly Host[] {
  const { live } = facts;
  const played = live.instanceById.size + instancesPerHost * live.hosts.length;
  if (planned.length < 2 || played > mostPlayed) return planned;
  const positionOf = new Map(live.hosts.map((host, position) => [host, position]));
  const rehearsal = new FullRehearsal(scriptOf(facts));
  const costOf = (order: readonly number[]): number => rehearsal.play(order);
  const order = planned.flatMap((host) => positionOf.get(host) ?? []);
  const first = { order, cost: costOf(order) };
  const plays = Math.min(mostPlays, Math.floor(mostSteps / Math.max(1, rehearsal.steps)));
  const best = improved(first, costOf, plays);
  // Orders that cost the same say nothing: then what is planned stays.
  if (best.cost >= first.cost) return planned;
  return best.order.flatMap((position) => live.hosts[position] ?? []);
}
