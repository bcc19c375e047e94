/** How long draining and maintaining a host is expected to take, to compare orders of hosts by. */
import { usualTimes } from '../fleet/expected-times';
import type { Host, HostPhase } from '../fleet/fleet';

/** Draining a host where no instance queues for its group: some moves, one after the other. Seconds. */
const usualDrainSeconds = 100;

/** Assume that draining takes at most this share of the maintenance, which matters where that takes seconds only. */
const largestDrainShare = 1 / 6;

const maintenanceSecondsOf = ({ expectedMaintenanceSeconds }: Host): number =>
  expectedMaintenanceSeconds ?? usualTimes.maintenanceSeconds;

/** Draining one of the hosts, where no instance queues for its group. */
export const drainSecondsOf = (hosts: readonly Host[]): number => {
  const sum = hosts.reduce((seconds, host) => seconds + maintenanceSecondsOf(host), 0);
  return Math.min(usualDrainSeconds, (largestDrainShare * sum) / Math.max(1, hosts.length));
};

/** The share of the drain that is left, without a look at how far one is that has begun. */
const shareOfDrainLeft: Partial<Record<HostPhase, number>> = { waiting: 1, emptying: 1 / 2 };

/** How long until the host is back, or would be if it went under work now; one that is late is back at once. */
export const secondsUntilBack = (host: Host, drainSeconds: number, nowMs: number): number => {
  const { work } = host;
  const drainLeft = work ? (shareOfDrainLeft[work.phase] ?? 0) * drainSeconds : 0;
  const elapsedMs = work?.phase === 'maintaining' ? nowMs - (work.announcedAtMs ?? nowMs) : 0;
  return drainLeft + Math.max(0, maintenanceSecondsOf(host) - elapsedMs / 1000);
};
