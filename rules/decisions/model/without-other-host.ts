/**
 * Instances that no other host could ever take, not even an empty one, such as those that a volume, a label or a device
 * binds to their host. Where its session says so, such an instance leaves all the same, needs no place, and comes back
 * with its host. Else its host is not begun (both-workflows/cannot-begin.ts).
 */
import { leavingOf, placedAt } from '../../cloud/departure';
import type { Fleet, Host, Instance } from '../fleet/fleet';
import { becomesTarget, isStarting, isTarget } from '../fleet/host-work';
import { Resources } from '../fleet/resources';
import type { ViewOfInstance } from '../fleet/seen-through';
import { Classes } from './classes';
import { couldTake, type KnownSizes, mayGoOnceItself } from './may-take-it';

/** The place of such an instance after it has left. A cloud that keeps them in every session has none. */
export const placedWithoutOtherHost = ({ hosts, misfits }: Pick<Fleet, 'hosts' | 'misfits'>): ViewOfInstance => {
  const resources = new Resources();
  const classes = new Classes(misfits);
  const known = { hosts, classes, capacity: { sizeOf: resources.capacityOf.bind(resources) } };
  return (instance) => {
    const { place } = leavingOf(instance);
    if (place.kind !== 'elsewhere' || place.ifNone === undefined) return instance;
    return isAnyThatCouldTake(known, instance)
      ? instance
      : placedAt(instance, { kind: place.ifNone === 'delete' ? 'back' : 'kept' });
  };
};

interface KnownHosts extends KnownSizes {
  readonly hosts: readonly Host[];
}

/** Looks at each host until one is found, which is soon for all but a few instances. */
export const isAnyThatCouldTake = (known: KnownHosts, instance: Instance): boolean =>
  known.hosts.some((host) => {
    if (!mayEverTake(host)) return false;
    return isOfUnknownSize(host) ? mayGoTo(known, host, instance) : couldTake(known, host, instance);
  });

/** The cloud leaves its amounts out, for example while that part of it is down: nobody knows that it is too small. */
const isOfUnknownSize = ({ amounts }: Host): boolean => Object.keys(amounts).length === 0;

const mayGoTo = ({ classes }: KnownHosts, host: Host, instance: Instance): boolean =>
  host.name !== instance.host && mayGoOnceItself(classes, instance, host);

/** Takes instances now, once the work on it is done, or once it is up. */
export const mayEverTake = (host: Host): boolean =>
  isTarget(host) ||
  isStarting(host) ||
  (host.isCompute && host.isDown === true) ||
  (host.work !== undefined && becomesTarget(host));
