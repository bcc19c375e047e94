/**
 * Hosts that somebody else has disabled while their session worked on them: they are not back after their maintenance,
 * and count as failed. What they would take is no capacity that projects could be asked for.
 */
import type { Host } from './fleet';
import { hasFailed } from './host-work';

const words = 'is not back: somebody else has disabled it since the session did';

/** @param reason in the words of whoever has disabled it */
export const keptDisabledBy = (hostname: string, reason: string): string =>
  `host ${hostname} ${words} (${reason}); enable it, then continue the session or retry the host. ` +
  'PARLEY_UNDO_DISABLED_REASONS lists reasons that the service undoes itself';

/** True when it has failed because somebody else keeps it disabled. */
export const isKeptDisabled = ({ work }: Host): boolean => hasFailed(work) && work?.failure?.includes(words) === true;
