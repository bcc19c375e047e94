/** The facts that a forecast begins with: hosts that wait or are under work, free capacity, and queues of groups. */
import { usualTimes } from '../fleet/expected-times';
import type { Host } from '../fleet/fleet';
import { isInPhase } from '../fleet/host-work';
import { groupOfKey } from '../fleet/limit-keys';
import { secondsPerMember } from '../limits/group-pace';
import type { FleetModel } from '../model/fleet-model';
import { maintenanceSecondsLeft } from '../rolling/host-times';
import { ownHosts, slotsLeft, type VnfFacts } from '../rolling/session-facts';
import type { ForecastFacts, Stay, Turn } from './forecast';

/**
 * Draining a host where no instance queues for its group: some moves, one after the other. Seconds. The time that the
 * host's own groups need (rolling/host-times.ts) would count their queues twice: sessions took longer with it.
 */
const usualDrainSeconds = 100;

/** Assume that draining takes at most this share of the maintenance, which matters where that takes seconds only. */
const largestDrainShare = 1 / 6;

/** A queue that goes on more quickly makes nobody wait for long, and is left out. Seconds for each member. */
const leastSecondsPerMember = 15;

/** @param waiting the session's hosts that wait and are not empty */
export const forecastFactsOf = (facts: VnfFacts, waiting: readonly Host[]): ForecastFacts => {
  const { model, nowMs } = facts;
  const drainSeconds = drainSecondsOf(waiting);
  const queues = new Map<string, number>();
  const stayOf = (host: Host, turns: readonly Turn[]): Stay => {
    const { vcpus, memoryMb } = host;
    return { vcpus, memoryMb, seconds: staySecondsOf(host, drainSeconds, nowMs), turns };
  };
  return {
    waiting: waiting.map((host) => stayOf(host, turnsOf(model, host, queues))),
    running: ownHosts(facts, 'emptying', 'maintaining').map((host) => stayOf(host, [])),
    free: model.capacity.total,
    slots: slotsLeft(facts),
    bookedSeconds: [...queues.keys()].map((key) => model.queueLength(key) * secondsPerMember(groupOfKey(model, key))),
  };
};

/** Draining one of the hosts, where no instance queues for its group. */
export const drainSecondsOf = (hosts: readonly Host[]): number => {
  const secondsOf = ({ expectedMaintenanceSeconds = usualTimes.maintenanceSeconds }: Host): number =>
    expectedMaintenanceSeconds;
  const sum = hosts.reduce((seconds, host) => seconds + secondsOf(host), 0);
  return Math.min(usualDrainSeconds, (largestDrainShare * sum) / Math.max(1, hosts.length));
};

/** How long until the host is back, or would be if it went under work now. Half of a drain that has begun is left. */
export const staySecondsOf = (host: Host, drainSeconds: number, nowMs: number): number => {
  const drainShare = isInPhase('emptying')(host) ? 1 / 2 : Number(isInPhase('waiting')(host));
  return drainShare * drainSeconds + maintenanceSecondsLeft(host, { nowMs });
};

/** The turns that the host's instances, and those with a place there, take in the queues of their groups. */
const turnsOf = (model: FleetModel, { name }: Host, queues: Map<string, number>): readonly Turn[] => {
  const { membersByGroup } = model.capacity.loadOf(name);
  return [...membersByGroup].flatMap(([key, members]): readonly Turn[] => {
    const group = groupOfKey(model, key);
    const each = secondsPerMember(group);
    if (each < leastSecondsPerMember) return [];
    const queue = queues.get(key) ?? queues.size;
    queues.set(key, queue);
    return [{ queue, seconds: members * each, bearableSeconds: (group.maxImpactedMembers - members) * each }];
  });
};
