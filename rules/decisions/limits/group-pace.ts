/** How quickly members of a group can leave their hosts one after the other, as far as its constraints tell. */
import type { Group } from '../fleet/fleet';
import { usualTimes } from '../fleet/usual-times';

/** The seconds from the question to a member until the end of its move, where the budget lets it go at once. */
const usualActionSeconds = usualTimes.answerSeconds + usualTimes.moveSeconds;

/** Seconds from the turn of one waiting member to the turn of the next. */
export const secondsPerMember = ({ maxImpactedMembers, recoveryTimeSeconds }: Group): number =>
  (usualActionSeconds + recoveryTimeSeconds) / Math.max(1, maxImpactedMembers);
