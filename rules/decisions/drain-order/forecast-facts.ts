/**
 * The facts that a forecast begins with: hosts that wait or are under work, free capacity, and queues of groups. A host
 * is away for its maintenance and for the queues of its groups. No time for its moves is added: that tells no hosts
 * apart, and orders that were found with it were no better.
 */
import { ownHosts, slotsLeft, type VnfFacts } from '../both-workflows/session-facts';
import type { Capacity } from '../fleet/capacity';
import type { Host } from '../fleet/fleet';
import { secondsInMaintenance } from '../fleet/host-work';
import { groupOfKey } from '../fleet/limit-keys';
import { usualTimes } from '../fleet/usual-times';
import { secondsPerMember } from '../limits/group-pace';
import type { FleetModel } from '../model/fleet-model';
import type { Pool } from '../model/pools';
import type { ForecastFacts, Stay, Turn } from './stay';

/** @param waiting the session's hosts that wait and are not empty */
export const forecastFactsOf = (facts: VnfFacts, waiting: readonly Host[]): ForecastFacts => {
  const { model, nowMs } = facts;
  const queues = new Map<string, number>();
  const pools = model.pools.all;
  const stayOf = (host: Host, turns: readonly Turn[]): Stay => {
    const { expectedMaintenanceSeconds = usualTimes.maintenanceSeconds } = host;
    const seconds = Math.max(0, expectedMaintenanceSeconds - secondsInMaintenance(host, nowMs));
    const size = sizeInPools(pools, host, model.capacity.sizeOf(host));
    return { size, weight: model.capacity.weightOf(host), seconds, turns };
  };
  return {
    waiting: waiting.map((host) => stayOf(host, turnsOf(model, host, queues))),
    running: ownHosts(facts, 'emptying', 'maintaining').map((host) => stayOf(host, [])),
    free: freeInPools(model, pools),
    slots: slotsLeft(facts),
    bookedSeconds: [...queues.keys()].map(
      (key) => model.groups.queueLength(key) * secondsPerMember(groupOfKey(model, key)),
    ),
  };
};

/** Tells for each resource what the host has of the capacity of all hosts, and then of that of each pool. */
const sizeInPools = (pools: readonly Pool[], { offers = '' }: Host, size: Capacity): Capacity =>
  size.flatMap((amount) => [amount, ...pools.map(({ offered }) => (offered.has(offers) ? amount : 0))]);

const freeInPools = ({ capacity }: FleetModel, pools: readonly Pool[]): Capacity => {
  const free = pools.map(({ offered }) => capacity.totalOn(offered));
  return capacity.total.flatMap((amount, resource) => [amount, ...free.map((each) => each[resource] ?? 0)]);
};

/** The turns that the host's instances, and those with a place there, take in the queues of their groups. */
const turnsOf = (model: FleetModel, { name }: Host, queues: Map<string, number>): readonly Turn[] => {
  const { membersByGroup } = model.capacity.loadOf(name);
  return [...membersByGroup].map(([key, members]) => {
    const group = groupOfKey(model, key);
    const each = secondsPerMember(group);
    const queue = queues.get(key) ?? queues.size;
    queues.set(key, queue);
    return { queue, seconds: members * each, bearableSeconds: (group.maxImpactedMembers - members) * each };
  });
};
