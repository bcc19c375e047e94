/**
 * The hosts that may take instances while one decision is made, and the room that is left on all of them. What it
 * places is held in the fleet's occupancy: the caller rolls that back when the decision is made.
 */
import type { Host, Instance } from './fleet';
import { compareText } from './fleet-index';
import { isTarget } from './host-work';
import type { LiveFleet } from './live-fleet';
import { type Target, bestRank, bestTarget, place, targetsOf, worstRank } from './placement';
import { type Room, isUseful } from './room';

/**
 * Attempts to place a host's instances in another order, where there are other hosts to work on. Each that fails costs as
 * much as one that succeeds.
 */
const quickAttempts = 4;

/** Where one instance goes. */
export interface Place {
  readonly instanceId: string;
  readonly target: string;
}

interface Search {
  readonly leaving?: Host;
  readonly thoroughly?: boolean;
}

export class TargetPool {
  #targets: readonly Target[];
  #room: Room;

  constructor(private readonly live: LiveFleet) {
    const hosts = [...live.roomyTargets].sort(compareText).flatMap((name) => live.hostByName.get(name) ?? []);
    this.#targets = targetsOf({ hosts }, live.occupancy);
    this.#room = roomOn(this.#targets);
  }

  /** Free on all of them together. */
  get room(): Room {
    return this.#room;
  }

  /** A quick look, before places are searched: whether there is as much room at all on the other hosts. */
  mayTakeAllOf(host: Host): boolean {
    const { free } = this.live.occupancy.loadOf(host.name);
    const own = isTarget(host) && isUseful(free) ? free : noRoom;
    return (
      this.#room.vcpus - own.vcpus >= host.vcpus - free.vcpus &&
      this.#room.memoryMb - own.memoryMb >= host.memoryMb - free.memoryMb
    );
  }

  /** Whether any host that will not be emptied again has room for anything. */
  hasLastingRoom(): boolean {
    return this.#targets.some(({ rank, load }) => rank < worstRank && isUseful(load.free));
  }

  /** A host that goes under work takes nothing any more. */
  remove(host: Host): void {
    this.#targets = this.#targets.filter((target) => target.host !== host);
    this.#room = roomOn(this.#targets);
  }

  /**
   * A place for each of them; undefined, and nothing held, where one finds none.
   *
   * @param leaving the host that they are on, if it was a target until now
   * @param thoroughly as every other search for places does it: whether the session can go on may hang on it
   */
  placeAll(instances: readonly Instance[], { leaving, thoroughly = false }: Search = {}): readonly Place[] | undefined {
    const { live } = this;
    const furtherAttempts = thoroughly ? {} : { furtherAttempts: quickAttempts };
    const targets = leaving ? this.#targets.filter(({ host }) => host !== leaving) : this.#targets;
    const placement = place({ index: live, instances, targets, occupancy: live.occupancy, ...furtherAttempts });
    if (placement.kind === 'lacking') return undefined;
    this.#room = roomOn(this.#targets);
    return [...placement.targetOf].map(([instanceId, { name }]) => ({ instanceId, target: name }));
  }

  /** Places for those that find one, on hosts that will not be emptied again. */
  placeMost(instances: readonly Instance[]): readonly Place[] {
    const lasting = this.#targets.filter(({ rank }) => rank < worstRank);
    const places = instances.flatMap((instance) => {
      const target = bestTarget(this.live, instance, lasting)?.host.name;
      if (target === undefined) return [];
      this.live.occupancy.hold(target, instance);
      return [{ instanceId: instance.id, target }];
    });
    this.#room = roomOn(this.#targets);
    return places;
  }

  /** The same where all others fit together on one of the hosts that return; else none. */
  placeSome(instances: readonly Instance[], returning: readonly Host[]): readonly Place[] {
    const mark = this.live.occupancy.mark();
    const places = this.placeMost(instances);
    const placed = new Set(places.map(({ instanceId }) => instanceId));
    const rest = instances.filter(({ id }) => !placed.has(id));
    if (places.length > 0 && returning.some((host) => this.#fitOn(host, rest))) return places;
    this.live.occupancy.rollBack(mark);
    this.#room = roomOn(this.#targets);
    return [];
  }

  #fitOn(host: Host, instances: readonly Instance[]): boolean {
    const { occupancy } = this.live;
    const mark = occupancy.mark();
    const targets = [{ host, rank: bestRank, load: occupancy.loadOf(host.name) }];
    const placement = place({ index: this.live, instances, targets, occupancy, furtherAttempts: 0 });
    occupancy.rollBack(mark);
    return placement.kind === 'placed';
  }
}

const noRoom: Room = { vcpus: 0, memoryMb: 0 };

function roomOn(targets: readonly Target[]): Room {
  let [vcpus, memoryMb] = [0, 0];
  for (const { load } of targets) {
    vcpus += Math.max(0, load.free.vcpus);
    memoryMb += Math.max(0, load.free.memoryMb);
  }
  return { vcpus, memoryMb };
}
