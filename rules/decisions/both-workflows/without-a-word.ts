/**
 * The fleet as the workflow `k8s` sees it: an instance is moved without a word, within the limits that hold for it,
 * unless its project wants to be asked. Where the cloud does not move it, nobody will, so it is held until that has
 * passed.
 */
import type { CannotMoveNow } from '../../cloud/cloud-facts';
import type { Fleet, Group, Instance } from '../fleet/fleet';
import { isAsked } from '../fleet/is-asked';
import { limitKeysOf } from '../fleet/limit-keys';
import { asksOnlyTheWilling, type RollingSession } from './built-in-workflow';

/** The fleet for decisions about the session. Other workflows ask about every instance. */
export const fleetOfSession = <Seen extends Pick<Fleet, 'instances' | 'groups'>>(
  session: RollingSession,
  fleet: Seen,
): Seen => {
  if (!asksOnlyTheWilling(session)) return fleet;
  const see = seenIn(fleet.groups);
  return { ...fleet, instances: fleet.instances.map(see) };
};

/** Its project has stored constraints for it, or tells the cloud that it wants to be asked. */
const isWilling = ({ migrationType, wantsQuestions }: Instance): boolean =>
  migrationType !== undefined || wantsQuestions === true;

/** Makes of an instance what the workflow sees of it, beside these groups. */
export const seenIn = (groups: readonly Group[]): ((instance: Instance) => Instance) => {
  const apart = new Set(groups.flatMap(({ key, maxInstancesPerHost }) => (maxInstancesPerHost ? [key] : [])));
  return (instance) => {
    // Where every host has as many members as it may, the place of one comes back only with its host.
    const isApart = instance.spreads !== undefined || limitKeysOf(instance).some((key) => apart.has(key));
    return withoutAWord(isApart && mayComeBack(instance) ? { ...instance, comesBackWithHost: true } : instance);
  };
};

/** An instance that only its own host could take stays there, unless its session says otherwise. */
const mayComeBack = ({ defaultAction, hasNoOtherHost, comesBackWithHost }: Instance): boolean =>
  defaultAction === 'EVICTION' && (hasNoOtherHost === undefined || comesBackWithHost === true);

const withoutAWord = (instance: Instance): Instance => {
  const quiet: Instance = isWilling(instance) ? instance : { ...instance, leadTimeSeconds: 0, isQuiet: true };
  const { cannotMove, cannotMoveNow } = quiet;
  if (isAsked(quiet) || cannotMove === undefined || cannotMoveNow !== undefined) return quiet;
  return { ...quiet, cannotMoveNow: heldBy(cannotMove) };
};

const heldBy = (because: string): CannotMoveNow => ({
  because,
  owner: 'project',
  help: 'let its project take that away or delete the instance, or store constraints and answer OWN_ACTION',
});
