/** How quickly members of a group can leave their hosts one after the other, as far as its constraints tell. */
import type { Group } from '../fleet/fleet';

/** A guess at the time from a member's question to the end of its move. Seconds. */
const actionSeconds = 40;

/** Seconds from the turn of one waiting member to the turn of the next. */
export function secondsPerMember({ maxImpactedMembers, recoveryTimeSeconds }: Group): number {
  return (actionSeconds + recoveryTimeSeconds) / Math.max(1, maxImpactedMembers);
}
