/**
 * A better order for hosts that wait, found by playing the rest of the session on expected times for many of them. The
 * search begins with what is planned by rooms and queues alone (look-ahead.ts), or where it ended before.
 */
import type { Host } from '../fleet/fleet';
import { FullRehearsal } from './full-rehearsal';
import { type Tried, cheapest, improved } from './order-search';
import { scriptOf } from './script';
import type { VnfFacts } from '../live/vnf-facts';

const mostPlays = 40;
/**
 * Over all plays of a look ahead (full-rehearsal.ts, steps) in a cloud of few hosts: it bounds the time. How many plays
 * that makes is guessed by one of them; where others are longer, it ends at twice as much.
 */
const mostSteps = 60_000;
/** A step goes through all hosts with room: with so many hosts in the cloud it counts twice. */
const hostsThatDouble = 160;
/** A session's first look ahead tries so many times more: all others begin with what it found. */
const firstTimes = 40;
/** See Search. With half of it and with three times as much, telco fleets of 20 hosts ended later. */
const warmth = 0.01;
/** In larger clouds the beginning of a play alone, with everything that is there at its place, takes too long. */
const mostPlayed = 13_000;
/** Hosts are looked at far more often than instances in a play. */
const instancesPerHost = 10;

/** All hosts of the session that wait and are not empty. */
export interface KnownOrders {
  /** As they would be opened by rooms and queues. */
  readonly planned: readonly Host[];
  /** As they were to be opened before; undefined: nobody looked ahead yet. */
  readonly before: readonly Host[] | undefined;
}

/** @returns `planned` where no order is better, or the cloud is too large to play */
export function rehearsedOrder(facts: VnfFacts, { planned, before }: KnownOrders): readonly Host[] {
  const { live } = facts;
  const played = live.instanceById.size + instancesPerHost * live.hosts.length;
  if (planned.length < 2 || played > mostPlayed) return planned;
  const positionOf = new Map(live.hosts.map((host, position) => [host, position]));
  const rehearsal = new FullRehearsal(scriptOf(facts));
  let stepsTaken = 0;
  const tryOut = (order: readonly number[]): Tried => {
    const tried = rehearsal.play(order);
    stepsTaken += rehearsal.steps;
    return tried;
  };
  const triedOut = (hosts: readonly Host[]): Tried => tryOut(hosts.flatMap((host) => positionOf.get(host) ?? []));
  const asPlanned = triedOut(planned);
  const first = before ? cheapest([asPlanned, triedOut(before)]) : asPlanned;
  const times = before ? 1 : firstTimes;
  const steps = (times * mostSteps) / (1 + live.hosts.length / hostsThatDouble);
  const plays = Math.floor(Math.min(times * mostPlays, steps / Math.max(1, rehearsal.steps)));
  const known = before ? 2 : 1;
  // One is left to play the best once more: in an order as it turned out, hosts may still come to be passed over.
  const tries = plays - known - 1;
  stepsTaken = 0;
  const best = improved({ first, tryOut, tries, warmth, isEnough: () => stepsTaken > 2 * steps });
  const again = best === first ? first : tryOut(best.order);
  // Orders that cost the same say nothing: then what is planned stays.
  if (again.cost >= asPlanned.cost) return planned;
  return best.order.flatMap((position) => live.hosts[position] ?? []);
}
