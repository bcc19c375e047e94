/**
 * The order of `k8s`: hosts from which the fewest instances move come first, because the cloud may put what leaves them
 * on hosts that are still to be drained. A member that is kept apart from others has few places. Where all of these are
 * on hosts that come later, it is sure to move twice, and the budget of its group makes others wait meanwhile: the
 * hosts without such members come before.
 */
import { expectedEndOf } from '../../cloud/departure';
import type { VnfFacts } from '../both-workflows/session-facts';
import type { Group, Host, Instance } from '../fleet/fleet';
import { becomesTarget, isTarget, isUnderWork } from '../fleet/host-work';
import { compareText } from '../fleet/ordered';
import { usualTimes } from '../fleet/usual-times';
import { limitsOf } from '../limits/limits-of-instance';
import type { FleetModel } from '../model/fleet-model';

/** A second move of a member that others of its group wait for counts as so many moves. */
const weightOfSecondMove = 2;

export const fewestFirst = ({ model }: VnfFacts, waiting: readonly Host[]): readonly Host[] => {
  const costs = new Map(costsOf(model, waiting));
  const costOf = ({ name }: Host): Cost => costs.get(name) ?? { moves: 0, seconds: 0 };
  const compare = (one: Cost, other: Cost): number => one.moves - other.moves || one.seconds - other.seconds;
  return waiting.toSorted((one, other) => compare(costOf(one), costOf(other)) || compareText(one.name, other.name));
};

interface Cost {
  /** More than any number where an instance is waited for: its host is out of use meanwhile. */
  readonly moves: number;
  /** The time that the limits of its members' groups make them wait for each other. */
  readonly seconds: number;
}

const costsOf = (model: FleetModel, waiting: readonly Host[]): [string, Cost][] => {
  const places = new PlacesOfGroups(model, waiting);
  return waiting.map((host) => {
    const instances = model.instancesOn(host.name);
    const isAnyWaitedFor = instances.some((instance) => expectedEndOf(instance) !== undefined);
    const second = instances.filter((instance) => places.areAllLater(instance, host));
    const moves = instances.length + weightOfSecondMove * second.length;
    const seconds = instances.reduce((sum, instance) => sum + secondsInTurn(model, instance), 0);
    return [host.name, { moves: isAnyWaitedFor ? Number.MAX_SAFE_INTEGER : moves, seconds }];
  });
};

/** An instance without a limit waits for nobody. */
const secondsInTurn = (model: FleetModel, instance: Instance): number => {
  const { expectedMoveSeconds = usualTimes.moveSeconds } = instance;
  const turns = limitsOf(model, instance).map(
    ({ maxImpactedMembers, recoveryTimeSeconds }) =>
      (expectedMoveSeconds + recoveryTimeSeconds) / Math.max(1, maxImpactedMembers),
  );
  return Math.max(0, ...turns);
};

/** Its members leave it, and then it takes others. */
const isReturning = (host: Host): boolean => isUnderWork(host) && becomesTarget(host);

/** The hosts, amounts apart, to which members of groups that are kept apart may go. */
class PlacesOfGroups {
  /** Hosts in use that are not drained later, and those that come back. */
  readonly #lasting: readonly Host[];
  readonly #isAnyLasting = new Map<string, boolean>();

  constructor(
    private readonly model: FleetModel,
    private readonly waiting: readonly Host[],
  ) {
    const later = new Set(waiting.map(({ name }) => name));
    this.#lasting = model.hosts.filter((host) => !later.has(host.name) && (isTarget(host) || isReturning(host)));
  }

  areAllLater(instance: Instance, from: Host): boolean {
    const group = limitsOf(this.model, instance).find(({ maxInstancesPerHost }) => maxInstancesPerHost !== undefined);
    if (group === undefined || this.#hasLasting(group)) return false;
    return this.waiting.some((host) => host !== from && isTarget(host) && this.#takes(host, group));
  }

  #hasLasting(group: Group): boolean {
    const known = this.#isAnyLasting.get(group.key);
    if (known !== undefined) return known;
    const isAny = this.#lasting.some((host) => isReturning(host) || this.#takes(host, group));
    this.#isAnyLasting.set(group.key, isAny);
    return isAny;
  }

  #takes({ name }: Host, { key, maxInstancesPerHost = Infinity }: Group): boolean {
    return (this.model.capacity.loadOf(name).membersByGroup.get(key) ?? 0) < maxInstancesPerHost;
  }
}
