/** What hosts hold while a script is played: room and members of groups; and where an instance would go. */
import { type Room, shareOf } from '../fleet/room';
import { bestRank, worstLastingRank, worstRank } from '../limits/placement';
import type { Part, PlayedHost, PlayedInstance, Script } from './script';

const rankOf: Partial<Record<Part, number>> = { maintained: bestRank, kept: worstLastingRank, waiting: worstRank };
const noTarget = worstRank + 1;

/** What a host holds now. */
interface Load {
  readonly position: number;
  readonly host: PlayedHost;
  part: Part;
  rank: number;
  freeVcpus: number;
  freeMemoryMb: number;
  /** Members, going there or there, by group: only of groups with anti-affinity. */
  readonly members: Int16Array;
}

export class RehearsalStage {
  readonly #loads: readonly Load[];
  readonly #membersAtFirst: readonly Int16Array[];
  /** Targets with room for the smallest instance, when that was looked up. */
  readonly #roomy: Load[] = [];
  readonly #smallest: Room;

  constructor(private readonly script: Script) {
    const { hosts, groups, instances } = script;
    this.#loads = hosts.map((host, position) => loadOf(host, position, groups.length));
    for (const instance of instances) {
      this.#count(instance.host, instance, 1);
      if (instance.target !== undefined) this.#count(instance.target, instance, 1);
    }
    this.#membersAtFirst = this.#loads.map(({ members }) => members.slice());
    this.#smallest = {
      vcpus: instances.reduce((least, { vcpus }) => Math.min(least, vcpus), Infinity),
      memoryMb: instances.reduce((least, { memoryMb }) => Math.min(least, memoryMb), Infinity),
    };
  }

  reset(): void {
    for (const load of this.#loads) {
      const { part, free } = load.host;
      this.setPart(load.position, part);
      [load.freeVcpus, load.freeMemoryMb] = [free.vcpus, free.memoryMb];
      load.members.set(this.#membersAtFirst[load.position] ?? []);
    }
  }

  /** What is free on all targets together. */
  room(): Room {
    const room = { vcpus: 0, memoryMb: 0 };
    for (const { rank, freeVcpus, freeMemoryMb } of this.#loads) {
      if (rank === noTarget) continue;
      // One that is overbooked takes nothing from the others.
      room.vcpus += Math.max(0, freeVcpus);
      room.memoryMb += Math.max(0, freeMemoryMb);
    }
    return room;
  }

  hostAt(position: number): PlayedHost {
    return this.#loadAt(position).host;
  }

  partOf(position: number): Part {
    return this.#loadAt(position).part;
  }

  setPart(position: number, part: Part): void {
    const load = this.#loadAt(position);
    load.part = part;
    const isBackInVain = part === 'maintained' && !load.host.becomesTarget;
    load.rank = isBackInVain ? noTarget : (rankOf[part] ?? noTarget);
  }

  isBack(position: number): boolean {
    return this.partOf(position) === 'maintained';
  }

  hold(position: number, instance: PlayedInstance, times: 1 | -1): void {
    const load = this.#loadAt(position);
    load.freeVcpus -= times * instance.vcpus;
    load.freeMemoryMb -= times * instance.memoryMb;
    this.#count(position, instance, times);
  }

  /**
   * Looks up which targets have room: needed before places are searched, where room was freed or a host became a
   * target.
   */
  lookForRoom(): void {
    const { vcpus: leastVcpus, memoryMb: leastMemoryMb } = this.#smallest;
    this.#roomy.length = 0;
    for (const load of this.#loads) {
      if (load.rank === noTarget) continue;
      if (load.freeVcpus >= leastVcpus && load.freeMemoryMb >= leastMemoryMb) this.#roomy.push(load);
    }
  }

  /** Whether a target that will not be emptied again has room. */
  hasLastingRoom(): boolean {
    return this.#roomy.some(({ rank }) => rank <= worstLastingRank);
  }

  /** Of the best rank that has room, the one where the least stays unused; undefined where there is none. */
  targetFor(instance: PlayedInstance, mostRank: number): number | undefined {
    let best: Load | undefined;
    let [rank, leastUnused] = [mostRank, Infinity];
    for (const load of this.#roomy) {
      if (load.rank > rank || !this.#mayTake(load, instance)) continue;
      const unused = unusedBeside(load, instance);
      if (load.rank < rank || unused < leastUnused) [best, rank, leastUnused] = [load, load.rank, unused];
    }
    return best?.position;
  }

  #mayTake({ freeVcpus, freeMemoryMb, members }: Load, { vcpus, memoryMb, apart }: PlayedInstance): boolean {
    if (freeVcpus < vcpus || freeMemoryMb < memoryMb) return false;
    return apart.every((group) => (members[group] ?? 0) < (this.script.groups[group]?.maxInstancesPerHost ?? Infinity));
  }

  #count(position: number, { apart }: PlayedInstance, times: 1 | -1): void {
    if (apart.length === 0) return;
    const { members } = this.#loadAt(position);
    for (const group of apart) members[group] = (members[group] ?? 0) + times;
  }

  #loadAt(position: number): Load {
    const load = this.#loads[position];
    if (!load) throw new RangeError(`the script has no host ${String(position)}`);
    return load;
  }
}

function loadOf(host: PlayedHost, position: number, groups: number): Load {
  const { part, free } = host;
  const room = { freeVcpus: free.vcpus, freeMemoryMb: free.memoryMb };
  return { position, host, part, rank: rankOf[part] ?? noTarget, ...room, members: new Int16Array(groups) };
}

/** Shares of the host, vcpus and memory added up. */
function unusedBeside({ host, freeVcpus, freeMemoryMb }: Load, { vcpus, memoryMb }: Room): number {
  return shareOf({ vcpus: freeVcpus - vcpus, memoryMb: freeMemoryMb - memoryMb }, host);
}
