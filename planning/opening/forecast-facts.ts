/**
 * The facts that a forecast begins with: hosts that wait or are under work, free capacity, and queues of groups.
 */
import type { Host } from '../fleet/fleet';
import { QueueBookings } from './queue-bookings';
import { expectedDrainSecondsOf, secondsUntilBack } from './host-pace';
import type { ForecastFacts, Stay, Turn } from './room-forecast';
import { type VnfFacts, ownReturning, slotsLeft } from '../live/vnf-facts';

/** What emptying a host is expected to take where no instance queues for its group. Seconds. */
const usualDrainSeconds = 100;

/** @param waiting the session's hosts that wait and are not empty */
export function forecastFactsOf(facts: VnfFacts, waiting: readonly Host[]): ForecastFacts {
  const { live, nowMs } = facts;
  const drainSeconds = expectedDrainSecondsOf(waiting, usualDrainSeconds);
  const bookings = new QueueBookings(live);
  const stayOf = (host: Host, turns: readonly Turn[]): Stay => {
    const { vcpus, memoryMb } = host;
    return { vcpus, memoryMb, seconds: secondsUntilBack(host, drainSeconds, nowMs), turns };
  };
  return {
    waiting: waiting.map((host) => stayOf(host, bookings.turnsOf(host))),
    running: ownReturning(facts).map((host) => stayOf(host, [])),
    room: live.targets.room,
    bookedSeconds: bookings.bookedSeconds,
    slots: slotsLeft(facts),
  };
}
