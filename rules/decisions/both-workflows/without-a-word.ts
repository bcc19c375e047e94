/**
 * The fleet as the workflow `k8s` sees it: an instance is moved without a word, within the limits that hold for it,
 * unless its project wants to be asked. Where the cloud does not move it, nobody will, so it is held until that has
 * passed.
 */
import { type CannotMoveNow, heldBy, leavingOf, placedAt, whyByProject, whyHeld } from '../../cloud/departure';
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
    return withoutAWord(isApart && mayComeBack(instance) ? placedAt(instance, { kind: 'elsewhereOrBack' }) : instance);
  };
};

/** An instance that only its own host could take stays there, unless its session says otherwise. */
const mayComeBack = (instance: Instance): boolean =>
  instance.defaultAction === 'EVICTION' && leavingOf(instance).place.kind === 'elsewhere';

const withoutAWord = (instance: Instance): Instance => {
  const quiet: Instance = isWilling(instance) ? instance : { ...instance, leadTimeSeconds: 0, isQuiet: true };
  const because = whyByProject(quiet);
  return isAsked(quiet) || because === undefined || whyHeld(quiet) ? quiet : heldBy(quiet, leftToProject(because));
};

const leftToProject = (because: string): CannotMoveNow => ({
  because,
  owner: 'project',
  help: 'let its project take that away or delete the instance, or store constraints and answer OWN_ACTION',
});
