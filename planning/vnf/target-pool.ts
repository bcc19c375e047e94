/**
 * The hosts that may take instances while one decision is made, and the room that is left on all of them. What it
 * places is held in the fleet's occupancy, and what it removes is withdrawn from the fleet's targets: the caller takes
 * both back when the decision is made.
 */
import type { Host, Instance } from '../fleet/fleet';
import { needsNoPlace, noTarget } from '../fleet/double-allocation';
import { isTarget } from '../fleet/host-work';
import type { LiveFleet } from '../live/live-fleet';
import { mayTakeIt, bestRank, place, placeBy, worstLastingRank } from '../limits/placement';
import { type Room, roomToTake, slotsIn } from '../fleet/room';

/**
 * Attempts to place a host's instances in another order, where there are other hosts to work on. Each that fails costs
 * as much as one that succeeds.
 */
const quickAttempts = 4;

/** Where one instance goes; `noTarget`: it needs no place. */
export interface Place {
  readonly instanceId: string;
  readonly target: string;
}

interface Search {
  readonly leaving?: Host;
  readonly thoroughly?: boolean;
}

/** Of instances that were placed together: who has no target leaves without a place. */
export function placesOf(instances: readonly Instance[], targetOf: ReadonlyMap<string, Host>): readonly Place[] {
  return instances.map(({ id: instanceId }) => ({ instanceId, target: targetOf.get(instanceId)?.name ?? noTarget }));
}

export class TargetPool {
  constructor(private readonly live: LiveFleet) {}

  /**
   * A quick look, before places are searched: whether there is as much room at all on the other hosts, and room for as
   * many instances as large as its largest. Where hosts are nearly full, most searches would fail for that.
   */
  mayTakeAllOf(host: Host): boolean {
    const { room } = this.live.targets;
    // Asked of every host that waits: most answers need no look at what it holds. A target that has room takes all of
    // its own away, and one that is full holds as much of one kind as it has.
    if (isTarget(host) && room.vcpus < host.vcpus && room.memoryMb < host.memoryMb) return false;
    const { free } = this.live.occupancy.loadOf(host.name);
    const own = isTarget(host) ? roomToTake(free) : noRoom;
    const isRoom =
      room.vcpus - own.vcpus >= host.vcpus - free.vcpus &&
      room.memoryMb - own.memoryMb >= host.memoryMb - free.memoryMb;
    return isRoom && this.#mayTakeLargestOf(host, own);
  }

  /** @param own what the host itself has to offer, which those on it cannot take */
  #mayTakeLargestOf({ name }: Host, own: Room): boolean {
    // Who is leaving already needs no other place.
    if (this.live.outgoingByHost.has(name)) return true;
    const { vcpus, count } = this.live.largestOn(name);
    return vcpus === 0 || this.live.targets.slotsOf(vcpus) - slotsIn(own.vcpus, vcpus) >= count;
  }

  /** Whether any host that will not be emptied again has room for anything that needs room. */
  hasLastingRoom(): boolean {
    const { targets } = this.live;
    for (let rank = bestRank; rank <= worstLastingRank; rank += 1) if (targets.isRoomIn(rank)) return true;
    return false;
  }

  /** A host that goes under work takes nothing any more. */
  remove(host: Host): void {
    this.live.targets.withdraw(host);
  }

  /**
   * A place for each of them; undefined, and nothing held, where one finds none.
   *
   * @param leaving the host that they are on, if it was a target until now
   * @param thoroughly as every other search for places does it: whether the session can go on may hang on it
   */
  placeAll(instances: readonly Instance[], { leaving, thoroughly = false }: Search = {}): readonly Place[] | undefined {
    const { live } = this;
    const placement = placeBy({
      instances,
      occupancy: live.occupancy,
      ...(!thoroughly && { furtherAttempts: quickAttempts }),
      bestFor: (instance) => {
        const mayTake = mayTakeIt(live, instance);
        return live.targets.bestFor(instance, { allows: (target) => target.host !== leaving && mayTake(target) });
      },
      lackOf: (instance) => ({ instance }),
    });
    if (placement.kind === 'lacking') return undefined;
    return placesOf(instances, placement.targetOf);
  }

  /** Places for those that find one, on hosts that will not be emptied again. */
  placeMost(instances: readonly Instance[]): readonly Place[] {
    return instances.flatMap((instance) => this.placeToStay(instance) ?? []);
  }

  /** A place on a host that will not be emptied again; undefined where none has room. */
  placeToStay(instance: Instance): Place | undefined {
    if (needsNoPlace(instance)) return { instanceId: instance.id, target: noTarget };
    const { live } = this;
    const search = { allows: mayTakeIt(live, instance), mostRank: worstLastingRank };
    const target = live.targets.bestFor(instance, search)?.host.name;
    if (target === undefined) return undefined;
    live.occupancy.hold(target, instance);
    return { instanceId: instance.id, target };
  }

  /** The same where all others fit together on one of the hosts that return; else none. */
  placeSome(instances: readonly Instance[], returning: readonly Host[]): readonly Place[] {
    const mark = this.live.occupancy.mark();
    const places = this.placeMost(instances);
    const placed = new Set(places.map(({ instanceId }) => instanceId));
    const rest = instances.filter(({ id }) => !placed.has(id));
    if (places.length > 0 && returning.some((host) => this.#fitOn(host, rest))) return places;
    this.live.occupancy.rollBack(mark);
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
