/** How long maintaining a host is expected to take. */
import type { Host } from '../fleet/fleet';

/** Where nobody says so. Seconds. */
const usualMaintenanceSeconds = 900;

export function expectedMaintenanceSecondsOf({ expectedMaintenanceSeconds }: Host): number {
  return expectedMaintenanceSeconds ?? usualMaintenanceSeconds;
}
