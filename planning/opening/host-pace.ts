/** How long emptying and maintaining a host is expected to take. */
import { usualTimes } from '../fleet/expected-times';
import type { Host, HostPhase } from '../fleet/fleet';

function expectedMaintenanceSecondsOf({ expectedMaintenanceSeconds }: Host): number {
  return expectedMaintenanceSeconds ?? usualTimes.maintenanceSeconds;
}

/** Emptying a host does not take longer than this share of a maintenance, where maintaining is a matter of seconds. */
const drainShare = 1 / 6;

/** How long emptying one of the hosts takes: `usualSeconds`, or a share of their maintenances where that is less. */
export function expectedDrainSecondsOf(hosts: readonly Host[], usualSeconds: number): number {
  const sum = hosts.reduce((seconds, host) => seconds + expectedMaintenanceSecondsOf(host), 0);
  return Math.min(usualSeconds, (drainShare * sum) / Math.max(1, hosts.length));
}

/** What is left of the host's maintenance: all of it until it begins, and nothing of one that is late. */
export function maintenanceSecondsLeft(host: Host, nowMs: number): number {
  const { work } = host;
  const elapsedMs = work?.phase === 'maintaining' ? nowMs - (work.announcedAtMs ?? nowMs) : 0;
  return Math.max(0, expectedMaintenanceSecondsOf(host) - elapsedMs / 1000);
}

/** What is left of its drain; how far one is that has begun is not looked at. */
const shareOfDrainLeft: Partial<Record<HostPhase, number>> = { waiting: 1, emptying: 1 / 2 };

/** How long until the host is back, or would be if it went under work now. */
export function secondsUntilBack(host: Host, drainSeconds: number, nowMs: number): number {
  const drainLeft = host.work ? (shareOfDrainLeft[host.work.phase] ?? 0) : 0;
  return drainLeft * drainSeconds + maintenanceSecondsLeft(host, nowMs);
}
