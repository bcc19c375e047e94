/**
 * Targets of one size, in levels of equal free room, the fullest first: so the one that an instance leaves the least
 * room on is found without a look at every host.
 */
import type { Instance } from '../fleet/fleet';
import { lowerBound } from './lower-bound';
import type { Target } from '../limits/placement';
import { type Room, hasRoomFor, roomToTake, shareOf } from '../fleet/room';

/** A target, with its position by name among all hosts: of equals the first is taken. */
export interface Shelved {
  readonly target: Target;
  readonly position: number;
}

export interface Level {
  readonly free: Room;
  /** Of the hosts' size; what is overbooked of one kind takes nothing from the other. */
  readonly share: number;
  /** By name. */
  readonly hosts: Shelved[];
}

export interface Found {
  readonly shelved: Shelved;
  /** What the instance leaves, as a share of the host. */
  readonly unused: number;
}

export class TargetShelf {
  /** By share, then by vcpus and memory. */
  readonly #levels: Level[] = [];

  constructor(private readonly size: Room) {}

  get levels(): readonly Level[] {
    return this.#levels;
  }

  add(shelved: Shelved): Level {
    const level = this.#levelFor(shelved.target.load.free);
    level.hosts.splice(positionIn(level, shelved), 0, shelved);
    return level;
  }

  remove(shelved: Shelved, level: Level): void {
    level.hosts.splice(positionIn(level, shelved), 1);
    if (level.hosts.length === 0) this.#levels.splice(this.#positionOf(level), 1);
  }

  /**
   * The allowed target on which the instance leaves the least room unused, if it is better than `found`; else `found`.
   */
  best(instance: Instance, allows: (target: Target) => boolean, found: Found | undefined): Found | undefined {
    const share = shareOf(instance, this.size);
    const first = lowerBound(this.#levels, (level) => level.share < share);
    let best = found;
    for (let at = first, level = this.#levels[at]; level; at += 1, level = this.#levels[at]) {
      const unused = level.share - share;
      if (best && unused > best.unused) break;
      if (!hasRoomFor(level.free, instance)) continue;
      const shelved = level.hosts.find(({ target }) => allows(target));
      if (shelved) best = betterOf(best, { shelved, unused });
    }
    return best;
  }

  #levelFor({ vcpus, memoryMb }: Room): Level {
    const wanted = { free: { vcpus, memoryMb }, share: shareOf(roomToTake({ vcpus, memoryMb }), this.size), hosts: [] };
    const position = this.#positionOf(wanted);
    const there = this.#levels[position];
    if (there?.free.vcpus === vcpus && there.free.memoryMb === memoryMb) return there;
    this.#levels.splice(position, 0, wanted);
    return wanted;
  }

  #positionOf(level: Level): number {
    return lowerBound(this.#levels, (other) => isFuller(other, level));
  }
}

function positionIn({ hosts }: Level, { position }: Shelved): number {
  return lowerBound(hosts, (other) => other.position < position);
}

function isFuller(one: Level, other: Level): boolean {
  if (one.share !== other.share) return one.share < other.share;
  if (one.free.vcpus !== other.free.vcpus) return one.free.vcpus < other.free.vcpus;
  return one.free.memoryMb < other.free.memoryMb;
}

function betterOf(best: Found | undefined, other: Found): Found {
  if (!best || other.unused < best.unused) return other;
  return other.unused === best.unused && other.shelved.position < best.shelved.position ? other : best;
}
