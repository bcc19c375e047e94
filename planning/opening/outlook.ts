/** What a look ahead begins with: what waits, what is under work, how much room is free and how far groups are booked. */
import type { Host } from '../fleet/fleet';
import { GroupQueues } from './group-queues';
import { expectedDrainSecondsOf, expectedMaintenanceSecondsOf, secondsUntilBack } from './host-pace';
import type { Outlook, Stay } from './rehearsal';
import { type VnfFacts, ownInPhase } from '../live/vnf-facts';

/** What emptying a host is expected to take where no instance queues for its group. Seconds. */
const usualDrainSeconds = 100;

/** @param waiting the session's hosts that wait and are not empty */
export function outlookOf(facts: VnfFacts, waiting: readonly Host[]): Outlook {
  const { live, nowMs, limits, sessionId } = facts;
  const drainSeconds = expectedDrainSecondsOf(waiting, usualDrainSeconds);
  const untilBack = (host: Host): number => expectedMaintenanceSecondsOf(host) + drainSeconds / 2;
  const emptying = ownInPhase(facts, 'emptying').map((host) => stayOf(host, untilBack(host)));
  const maintaining = ownInPhase(facts, 'maintaining').map((host) => stayOf(host, secondsUntilBack(host, nowMs)));
  const queues = new GroupQueues(live);
  return {
    waiting: waiting.map((host) => {
      return { ...stayOf(host, expectedMaintenanceSecondsOf(host) + drainSeconds), turns: queues.turnsOf(host) };
    }),
    running: [...emptying, ...maintaining],
    room: live.targets.room,
    bookedSeconds: queues.bookedSeconds,
    slots: (limits.maxParallelHosts ?? Infinity) - live.countOutside(sessionId, 'waiting', 'maintained', 'failed'),
  };
}

function stayOf({ vcpus, memoryMb }: Host, seconds: number): Stay {
  return { vcpus, memoryMb, seconds, turns: [] };
}
