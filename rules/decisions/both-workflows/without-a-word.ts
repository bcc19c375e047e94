/**
 * An instance as the workflow `k8s` sees it: it is moved without a word, within the limits that hold for it, unless its
 * project wants to be asked. Where the cloud does not move it, nobody will, so it is held until that has passed.
 */
import { type CannotMoveNow, heldBy, leavingOf, placedAt, whyByProject, whyHeld } from '../../cloud/departure';
import type { Group, Instance } from '../fleet/fleet';
import { isAsked } from '../fleet/is-asked';
import { limitKeysOf } from '../fleet/limit-keys';
import type { ViewOfInstance } from '../fleet/seen-through';

/** Its project has stored constraints for it, or tells the cloud that it wants to be asked. */
const isWilling = ({ migrationType, wantsQuestions }: Instance): boolean =>
  migrationType !== undefined || wantsQuestions === true;

/** @param groups all of the fleet */
export const withoutAWord = (groups: readonly Group[]): ViewOfInstance => {
  const apart = new Set(groups.flatMap(({ key, maxInstancesPerHost }) => (maxInstancesPerHost ? [key] : [])));
  return (instance) => {
    // Where every host has as many members as it may, the place of one comes back only with its host.
    const isApart = instance.spreads !== undefined || limitKeysOf(instance).some((key) => apart.has(key));
    return quiet(isApart && mayComeBack(instance) ? placedAt(instance, { kind: 'elsewhereOrBack' }) : instance);
  };
};

/** An instance that only its own host could take stays there, unless its session says otherwise. */
const mayComeBack = (instance: Instance): boolean =>
  instance.defaultAction === 'EVICTION' && leavingOf(instance).place.kind === 'elsewhere';

const quiet = (instance: Instance): Instance => {
  const seen: Instance = isWilling(instance) ? instance : { ...instance, leadTimeSeconds: 0, isQuiet: true };
  const because = whyByProject(seen);
  return isAsked(seen) || because === undefined || whyHeld(seen) ? seen : heldBy(seen, leftToProject(because));
};

const leftToProject = (because: string): CannotMoveNow => ({
  because,
  owner: 'project',
  help: 'let its project take that away or delete the instance, or store constraints and answer OWN_ACTION',
});
