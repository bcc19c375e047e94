/** Maintenance windows of the interface, relative to now, so that a test depends on no time of day. */
import { weekdays } from '../../rules/maintenance-windows/maintenance-window';

const hourMs = 3_600_000;

const clockTime = (ms: number): string => new Date(ms).toISOString().slice(11, 16);

/** Open each day between these times from now, in hours. */
const aWindowBetween = (fromHours: number, toHours: number) => ({
  days: [...weekdays],
  from: clockTime(Date.now() + fromHours * hourMs),
  to: clockTime(Date.now() + toHours * hourMs),
  time_zone: 'UTC',
});

export const anOpenWindow = (forHours = 8) => aWindowBetween(-8, forHours);
export const aClosedWindow = () => aWindowBetween(8, 16);
