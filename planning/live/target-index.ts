/**
 * The hosts that may take instances, kept up to date: by rank and size, and by the room that is left on each. It
 * answers as a search through the list of all of them does (`bestTarget`), in a time that hardly grows with the fleet.
 */
import type { Host, Instance } from '../fleet/fleet';
import { type Target, bestRank, worstRank } from '../limits/placement';
import { type Room, isUseful, roomToTake, slotsIn } from '../fleet/room';
import { type Found, type Level, type Shelved, TargetShelf } from './target-shelf';

/** Where a target is kept. */
interface Slot extends Shelved {
  readonly shelf: TargetShelf;
  level: Level;
}

interface Search {
  readonly allows: (target: Target) => boolean;
  readonly mostRank?: number;
}

export class TargetIndex {
  readonly #slots = new Map<string, Slot>();
  /** Of each rank, by size. */
  readonly #shelves = new Map<number, Map<string, TargetShelf>>();
  readonly #withdrawn: Shelved[] = [];
  readonly #room = { vcpus: 0, memoryMb: 0 };
  /** By vcpus, since something was last placed. */
  readonly #slotsOf = new Map<number, number>();

  /** What others may take of all of them together. */
  get room(): Room {
    return this.#room;
  }

  /** Adds the target, or takes note of what has become of it. */
  set(shelved: Shelved): void {
    const { name } = shelved.target.host;
    if (this.#slots.get(name)?.target.host === shelved.target.host) return;
    this.delete(name);
    this.#keep(shelved);
  }

  /** Does nothing for a host that is no target. */
  delete(hostname: string): void {
    const slot = this.#slots.get(hostname);
    if (!slot) return;
    this.#slots.delete(hostname);
    slot.shelf.remove(slot, slot.level);
    this.#count(slot.level.free, -1);
  }

  /** What the host holds has changed, tried out or for good. */
  noteLoad(hostname: string): void {
    const slot = this.#slots.get(hostname);
    if (!slot) return;
    this.#count(slot.level.free, -1);
    slot.shelf.remove(slot, slot.level);
    slot.level = slot.shelf.add(slot);
    this.#count(slot.level.free, 1);
  }

  /** Takes a host out that will take nothing any more, until `restore`. */
  withdraw({ name }: Host): void {
    const slot = this.#slots.get(name);
    if (!slot) return;
    this.delete(name);
    this.#withdrawn.push(slot);
  }

  restore(): void {
    for (const shelved of this.#withdrawn.splice(0)) this.#keep(shelved);
  }

  /** Of the best rank that has room, the allowed one where the least stays unused. */
  bestFor(instance: Instance, { allows, mostRank = worstRank }: Search): Target | undefined {
    for (let rank = bestRank; rank <= mostRank; rank += 1) {
      let best: Found | undefined;
      for (const shelf of this.#shelvesOf(rank)) best = shelf.best(instance, allows, best);
      if (best) return best.shelved.target;
    }
    return undefined;
  }

  /** Whether any host of the rank has room for anything that needs room. */
  isRoomIn(rank: number): boolean {
    return [...this.#shelvesOf(rank)].some(({ levels }) => levels.some(({ free }) => isUseful(free)));
  }

  /** How many instances of so many vcpus there is room for beside each other, as far as vcpus tell. */
  slotsOf(vcpus: number): number {
    const known = this.#slotsOf.get(vcpus);
    if (known !== undefined) return known;
    let slots = 0;
    for (const shelves of this.#shelves.values()) {
      for (const { levels } of shelves.values()) {
        for (const { free, hosts } of levels) slots += hosts.length * slotsIn(free.vcpus, vcpus);
      }
    }
    this.#slotsOf.set(vcpus, slots);
    return slots;
  }

  #keep({ target, position }: Shelved): void {
    const shelf = this.#shelfFor(target);
    const level = shelf.add({ target, position });
    this.#slots.set(target.host.name, { target, position, shelf, level });
    this.#count(level.free, 1);
  }

  #shelfFor({ rank, host: { vcpus, memoryMb } }: Target): TargetShelf {
    const shelves = this.#shelves.get(rank) ?? new Map<string, TargetShelf>();
    this.#shelves.set(rank, shelves);
    const size = `${String(vcpus)}/${String(memoryMb)}`;
    const shelf = shelves.get(size) ?? new TargetShelf({ vcpus, memoryMb });
    shelves.set(size, shelf);
    return shelf;
  }

  #shelvesOf(rank: number): Iterable<TargetShelf> {
    return this.#shelves.get(rank)?.values() ?? [];
  }

  #count(free: Room, times: 1 | -1): void {
    const { vcpus, memoryMb } = roomToTake(free);
    this.#slotsOf.clear();
    this.#room.vcpus += times * vcpus;
    this.#room.memoryMb += times * memoryMb;
  }
}
