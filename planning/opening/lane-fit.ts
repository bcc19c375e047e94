/**
 * How well each host that waits fits into the room that is free now, in sessions that are too large to look ahead: the
 * nearer it is to one of those that the free lanes are planned to take (lanes.ts), and the more members of its groups
 * will have to leave their hosts one after the other, the better.
 */
import type { Host } from '../fleet/fleet';
import type { Room } from '../fleet/room';
import { secondsPerMember } from './group-pace';
import { expectedDrainSecondsOf, secondsUntilBack } from './host-pace';
import { becomesTarget } from '../fleet/host-work';
import { type Lanes, staysInFreeLanes } from './lanes';
import { lowerBound } from '../live/lower-bound';
import { Memo } from '../live/memo';
import { type VnfFacts, ownReturning, slotsLeft } from '../live/vnf-facts';

/** What emptying a host is expected to take in a fleet of hundreds, where groups queue somewhere at any time. */
const usualDrainSeconds = 150;

/**
 * So much earlier a host should go under work for each second that its slowest group needs for all that have to move.
 */
const shareOfChain = 0.4;

export class LaneFit {
  readonly #drainSeconds: number;
  #wanted: readonly number[] | undefined;
  readonly #misfits = new Memo((host: Host) => this.#misfitOf(host));

  /** @param waiting the session's hosts that wait and are not empty */
  constructor(
    private readonly facts: VnfFacts,
    private readonly waiting: readonly Host[],
  ) {
    this.#drainSeconds = expectedDrainSecondsOf(waiting, usualDrainSeconds);
  }

  /**
   * What is lost when the host goes now; the less, the better. Below 0 where groups are slow: then waiting loses more.
   */
  lossSeconds(host: Host): number {
    return this.misfitSeconds(host) - shareOfChain * this.#chainSeconds(host);
  }

  /** By how much the time that the host takes is off; the same without a look at its groups. */
  misfitSeconds(host: Host): number {
    return this.#misfits.of(host);
  }

  /**
   * So many of them whose time is off least, of those that are alike the first ones, in the order in which they come.
   */
  bestOf(hosts: readonly Host[], most: number): readonly Host[] {
    const seconds = hosts.map((host) => this.misfitSeconds(host));
    const limit = ascending(seconds)[most - 1] ?? Infinity;
    const better = seconds.filter((each) => each < limit).length;
    const alike = hosts.filter((_, position) => seconds[position] === limit);
    const chosen = new Set(alike.slice(0, most - better));
    return hosts.filter((host, position) => (seconds[position] ?? Infinity) < limit || chosen.has(host));
  }

  #misfitOf(host: Host): number {
    this.#wanted ??= staysInFreeLanes(this.#lanes());
    if (this.#wanted.length === 0) return 0;
    const stay = this.#secondsUntilBack(host);
    const next = lowerBound(this.#wanted, (wanted) => wanted < stay);
    const [shorter = -Infinity, longer = Infinity] = [this.#wanted[next - 1], this.#wanted[next]];
    return Math.min(stay - shorter, longer - stay);
  }

  /** How long it takes until all members of its slowest group have left hosts that are being emptied or will be. */
  #chainSeconds({ name }: Host): number {
    let longest = 0;
    for (const { queue } of this.facts.live.sharesOn(name)) {
      longest = Math.max(longest, (queue.length + queue.ahead) * secondsPerMember(queue.group));
    }
    return longest;
  }

  /** A lane for each host under work, and as many as hosts of the usual size find room now. */
  #lanes(): Lanes {
    const { facts, waiting } = this;
    const returning = ownReturning(facts).filter(becomesTarget);
    // What is late may be back at any time, and is not yet.
    const taken = returning.map((host) => Math.max(1, this.#secondsUntilBack(host)));
    return {
      freeInSeconds: [...Array<number>(freeLanesOf(facts, waiting)).fill(0), ...ascending(taken)],
      staySeconds: ascending(waiting.map((host) => this.#secondsUntilBack(host))),
    };
  }

  #secondsUntilBack(host: Host): number {
    return secondsUntilBack(host, this.#drainSeconds, this.facts.nowMs);
  }
}

/** At least the one for the host that is asked about. */
function freeLanesOf(facts: VnfFacts, waiting: readonly Host[]): number {
  const { room } = facts.live.targets;
  const shares = [
    room.vcpus / Math.max(1, sumOf(waiting, 'vcpus')),
    room.memoryMb / Math.max(1, sumOf(waiting, 'memoryMb')),
  ];
  const lanes = Math.min(waiting.length * Math.min(1, ...shares), slotsLeft(facts));
  return Math.max(1, Math.floor(lanes));
}

function sumOf(hosts: readonly Host[], kind: keyof Room): number {
  return hosts.reduce((sum, host) => sum + host[kind], 0);
}

/** Numbers alone are sorted several times as quickly as with a function that compares. */
function ascending(seconds: readonly number[]): readonly number[] {
  return [...Float64Array.from(seconds).sort()];
}
