/**
 * What a look ahead begins with: what waits, what is under work, how much room is free and how far groups are booked.
 */
import type { Host } from '../fleet/fleet';
import { QueueBookings } from './queue-bookings';
import { expectedDrainSecondsOf, secondsUntilBack } from './host-pace';
import type { Outlook, Stay, Turn } from './room-rehearsal';
import { type VnfFacts, ownReturning, slotsLeft } from '../live/vnf-facts';

/** What emptying a host is expected to take where no instance queues for its group. Seconds. */
const usualDrainSeconds = 100;

/** @param waiting the session's hosts that wait and are not empty */
export function outlookOf(facts: VnfFacts, waiting: readonly Host[]): Outlook {
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
