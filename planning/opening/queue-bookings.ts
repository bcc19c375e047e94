/** The queues of groups for their budgets in a forecast: how far each is booked, and who would join it. */
import type { Host } from '../fleet/fleet';
import { secondsPerMember } from '../live/group-pace';
import type { GroupQueue } from '../live/group-queue';
import type { LiveFleet } from '../live/live-fleet';
import type { Turn } from './room-forecast';

/** A queue that goes on more quickly makes nobody wait for long, and is not looked at. Seconds for each member. */
const leastSecondsPerMember = 15;

export class QueueBookings {
  /** Seconds until all that wait now have had their turn, by the position of the group. */
  readonly bookedSeconds: number[] = [];
  readonly #positionOf = new Map<GroupQueue, number>();

  constructor(private readonly live: LiveFleet) {}

  /** The turns that the host's instances take once it goes under work. */
  turnsOf({ name }: Host): readonly Turn[] {
    const turns: Turn[] = [];
    for (const { queue, members } of this.live.sharesOn(name)) {
      const each = secondsPerMember(queue.group);
      if (each < leastSecondsPerMember) continue;
      const bearableSeconds = (queue.group.maxImpactedMembers - members) * each;
      turns.push({ queue: this.#positionIn(queue, each), seconds: members * each, bearableSeconds });
    }
    return turns;
  }

  #positionIn(queue: GroupQueue, secondsEach: number): number {
    const known = this.#positionOf.get(queue);
    if (known !== undefined) return known;
    const position = this.bookedSeconds.push(queue.length * secondsEach) - 1;
    this.#positionOf.set(queue, position);
    return position;
  }
}
