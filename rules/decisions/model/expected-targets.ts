/** Which hosts should take which instances by all that is listed, so that a cloud that knows more can be asked. */
import type { CloudHost, CloudInstance, ExpectedTargets } from '../../cloud/cloud-facts';
import type { Misfit } from '../../cloud/misfits';
import { addCapacity, type Capacity, hasCapacityFor, noCapacity } from '../fleet/capacity';
import type { Claim } from '../fleet/fleet';
import { Resources } from '../fleet/resources';
import { refusalClassOf } from '../limits/refusals';
import { Classes } from './classes';

export interface ListedFleet {
  readonly hosts: readonly CloudHost[];
  readonly instances: readonly CloudInstance[];
  readonly misfits: readonly Misfit[];
  /** Those of moves in flight. */
  readonly moving: readonly Pick<Claim, 'target' | 'amounts'>[];
}

/** One for each class of instances that has a member on one of the hosts that are to be drained. */
export const expectedTargets = (listed: ListedFleet, toDrain: ReadonlySet<string>): readonly ExpectedTargets[] => {
  const resources = new Resources();
  const taken = takenOn(listed, resources);
  const classes = new Classes(listed.misfits);
  const targets = listed.hosts.filter(({ isCompute, enabled, isUp }) => isCompute && enabled && isUp);
  const free = targets.map((host) => addCapacity(resources.capacityOf(host), taken.get(host.name) ?? noCapacity, -1));
  const leaving = listed.instances.filter(({ host }) => toDrain.has(host));
  const onePerClass = new Map(leaving.map((instance) => [refusalClassOf(instance), instance]));
  return [...onePerClass].map(([refusalClass, instance]) => {
    const size = resources.capacityOf(instance);
    const fits = targets.filter(
      (host, at) => classes.mayGo(instance, host) && hasCapacityFor(free[at] ?? noCapacity, size),
    );
    return { refusalClass, instance, hosts: fits.map(({ name }) => name) };
  });
};

const takenOn = ({ instances, moving }: ListedFleet, resources: Resources): ReadonlyMap<string, Capacity> => {
  const taken = new Map<string, Capacity>();
  const take = (host: string, size: Capacity) => taken.set(host, addCapacity(taken.get(host) ?? noCapacity, size));
  for (const instance of instances) take(instance.host, resources.capacityOf(instance));
  for (const claim of moving) take(claim.target, resources.capacityOf(claim));
  return taken;
};
