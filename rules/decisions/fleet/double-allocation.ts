/**
 * Double allocation: during a move source and target both hold the instance. An instance uses capacity on its present
 * host. A claim that is asked or moving uses capacity on its target as well, and a moving claim also on its source
 * until it is over. Each host counts it once. For an OWN_ACTION, resource_mitigation says what comes first. true: the
 * replacement, so that its capacity is kept like that of a move. false: the deletion, so that no capacity is needed
 * beforehand. A replacement may be made before the answer, and stand on the very capacity that was found for it: after
 * such an answer nothing more has to be free.
 */
import { comesBackWithHost, isNotMadeAgain, leavingOf, whyByProject } from '../../cloud/departure';
import type { Claim, Instance } from './fleet';
import { isAsked } from './is-asked';

/** Asked or moving: its instance is about to leave its source for its target, or already on the way. */
export const isInFlight = ({ phase }: Claim): boolean => phase === 'asked' || phase === 'moving';

/**
 * Stands for the target in a claim or reservation that has none: the project deletes the instance first, so no host
 * keeps capacity for it.
 */
export const noTarget = '';

export const hostsHolding = ({ host }: Instance, claim: Claim | undefined): readonly string[] => {
  if (!claim || !isInFlight(claim)) return [host];
  const held = claim.phase === 'moving' ? [host, claim.source, claim.target] : [host, claim.target];
  return [...new Set(held.filter((hostname) => hostname !== noTarget))];
};

/** The one host that holds the instance when everything in flight has succeeded; `noTarget`: no host has to. */
export const hostWhenSettled = ({ host }: Instance, claim: Claim | undefined): string => {
  return claim && isInFlight(claim) ? claim.target : host;
};

/**
 * True when the instance can leave its host without a free place on another: nothing makes it again, its project
 * deletes it before it makes the replacement (OWN_ACTION with resource_mitigation false), or has answered that it acts
 * itself. When it was asked there was a place, which the replacement may have taken since. False when its project
 * leaves the move to the service after all. Also true where its place comes back with its host.
 */
export const mayLeaveWithoutPlace = (instance: Instance): boolean => {
  const { resourceMitigation, migrationType, settledAction } = instance;
  const isByProject = whyByProject(instance) !== undefined;
  if (isNotMadeAgain(instance) || (comesBackWithHost(instance) && !isByProject)) return true;
  if (resourceMitigation !== false) return settledAction === 'OWN_ACTION';
  if (isByProject) return true;
  // The service moves an instance about which it asks nothing.
  return (settledAction ?? (isAsked(instance) ? migrationType : undefined)) === 'OWN_ACTION';
};

/**
 * True when nothing makes it again, no other host could take it, or the service never moves it and its project deletes
 * it first: a place would be kept in vain.
 */
export const needsNoPlace = (instance: Instance): boolean => {
  const { kind, place } = leavingOf(instance);
  if (place.kind === 'nowhere') return true;
  return kind === 'byProject' ? instance.resourceMitigation === false : place.kind === 'back';
};
