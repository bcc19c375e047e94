/** The queues of groups for their budgets as a rehearsal sees them: how far each is booked, and who would join it. */
import type { Host } from './fleet';
import { groupOfKey } from './fleet-index';
import { secondsPerMember } from './group-pace';
import type { LiveFleet } from './live-fleet';
import type { Turn } from './rehearsal';

/** A queue that goes on more quickly makes nobody wait for long, and is not looked at. Seconds for each member. */
const leastSecondsPerMember = 15;

export class GroupQueues {
  /** Seconds until all that wait now have had their turn, by the position of the group. */
  readonly bookedSeconds: number[] = [];
  readonly #positionOf = new Map<string, number>();

  constructor(private readonly live: LiveFleet) {}

  /** The turns that the host's instances take once it goes under work. */
  turnsOf({ name }: Host): readonly Turn[] {
    const turns: Turn[] = [];
    for (const [key, members] of this.live.occupancy.loadOf(name).membersByGroup) {
      if (members < 1) continue;
      const group = groupOfKey(this.live, key);
      const each = secondsPerMember(group);
      if (each < leastSecondsPerMember) continue;
      const bearableSeconds = (group.maxImpactedMembers - members) * each;
      turns.push({ queue: this.#queueOf(key, each), seconds: members * each, bearableSeconds });
    }
    return turns;
  }

  #queueOf(groupKey: string, secondsEach: number): number {
    const known = this.#positionOf.get(groupKey);
    if (known !== undefined) return known;
    const position = this.bookedSeconds.push(this.live.queueOf(groupKey) * secondsEach) - 1;
    this.#positionOf.set(groupKey, position);
    return position;
  }
}
