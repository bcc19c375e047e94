/** How long emptying and maintaining a host is expected to take. */
import type { Host } from '../fleet/fleet';

/** Where nobody says so. Seconds. */
const usualMaintenanceSeconds = 900;

export function expectedMaintenanceSecondsOf({ expectedMaintenanceSeconds }: Host): number {
  return expectedMaintenanceSeconds ?? usualMaintenanceSeconds;
}

/** Emptying a host does not take longer than this share of a maintenance, where maintaining is a matter of seconds. */
const drainShare = 1 / 6;

/** How long emptying one of the hosts takes: `usualSeconds`, or a share of their maintenances where that is less. */
export function expectedDrainSecondsOf(hosts: readonly Host[], usualSeconds: number): number {
  const sum = hosts.reduce((seconds, host) => seconds + expectedMaintenanceSecondsOf(host), 0);
  return Math.min(usualSeconds, (drainShare * sum) / Math.max(1, hosts.length));
}

/** How long a host that is being maintained is still away; not below 0 for one that is late. */
export function secondsUntilBack(host: Host, nowMs: number): number {
  const elapsedMs = nowMs - (host.work?.announcedAtMs ?? nowMs);
  return Math.max(0, expectedMaintenanceSecondsOf(host) - elapsedMs / 1000);
}
