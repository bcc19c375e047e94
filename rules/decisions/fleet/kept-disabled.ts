/**
 * Hosts that somebody else has disabled while their session worked on them: they are not back after their maintenance,
 * and count as failed. What they would take is no capacity that projects could be asked for.
 */
import type { Host } from './fleet';
import { hasFailed } from './host-work';

/** @param reason in the words of whoever has disabled it */
export const keptDisabledBy = (hostname: string, reason: string): string =>
  `host ${hostname} is not back: somebody else has disabled it since the session did (${reason}); enable it, then ` +
  'continue the session or retry the host. PARLEY_UNDO_DISABLED_REASONS lists reasons that the service undoes itself';

/** Why it is not back, where it has failed and somebody else keeps it disabled. */
export const whyKeptDisabled = ({ name, work }: Host): string | undefined =>
  hasFailed(work) && work?.keptDisabledBy !== undefined ? keptDisabledBy(name, work.keptDisabledBy) : undefined;
