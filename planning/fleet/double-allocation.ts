/**
 * Double allocation: during a move source and target both hold the instance. An instance holds the host it is on; a
 * claim asked or moving holds its target as well, and one that is moving also its source until it is over. Each host
 * holds it once, wherever it is seen. resource_mitigation with OWN_ACTION (the replacement is there before the old one
 * goes) needs nothing beyond that: source and target are held together.
 */
import type { Claim, Instance } from './fleet';
import { isInFlight } from './fleet-index';

export function hostsHolding({ host }: Instance, claim: Claim | undefined): readonly string[] {
  if (!claim || !isInFlight(claim)) return [host];
  const held = claim.phase === 'moving' ? [host, claim.source, claim.target] : [host, claim.target];
  return [...new Set(held)];
}

/** The one host that holds the instance when what is in flight has ended well. */
export function hostWhenSettled({ host }: Instance, claim: Claim | undefined): string {
  return claim && isInFlight(claim) ? claim.target : host;
}
