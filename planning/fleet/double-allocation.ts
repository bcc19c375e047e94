/**
 * Double allocation: during a move source and target both hold the instance. An instance holds the host it is on; a
 * claim asked or moving holds its target as well, and one that is moving also its source until it is over. Each host
 * holds it once, wherever it is seen. resource_mitigation says of an OWN_ACTION which comes first: true, the
 * replacement, so that its room is held like that of a move; false, the deletion, so that no room is needed beforehand.
 */
import type { Claim, Instance } from './fleet';
import { isInFlight } from './fleet-index';

/** In place of a target, of a claim or reservation: its project deletes the instance first, so no host holds room. */
export const noTarget = '';

export function hostsHolding({ host }: Instance, claim: Claim | undefined): readonly string[] {
  if (!claim || !isInFlight(claim)) return [host];
  const held = claim.phase === 'moving' ? [host, claim.source, claim.target] : [host, claim.target];
  return [...new Set(held.filter((hostname) => hostname !== noTarget))];
}

/** The one host that holds the instance when what is in flight has ended well; `noTarget`: none has to. */
export function hostWhenSettled({ host }: Instance, claim: Claim | undefined): string {
  return claim && isInFlight(claim) ? claim.target : host;
}

/**
 * Whether its project deletes it before the replacement comes (OWN_ACTION with resource_mitigation false), so that it
 * can leave its host without a place elsewhere. Where its project leaves the move to the service after all, it cannot.
 */
export function mayLeaveWithoutPlace(instance: Instance): boolean {
  const { resourceMitigation, cannotMove, migrationType, leadTimeSeconds, settledAction } = instance;
  if (resourceMitigation !== false) return false;
  if (cannotMove !== undefined) return true;
  // With lead_time 0 nothing is asked, so that the service moves it.
  const expected = leadTimeSeconds === 0 ? undefined : migrationType;
  return (settledAction ?? expected) === 'OWN_ACTION';
}

/** Whether it goes nowhere by the service: a place would be held for nothing. */
export function needsNoPlace(instance: Instance): boolean {
  return instance.cannotMove !== undefined && mayLeaveWithoutPlace(instance);
}
