/** The words for an action that has begun and that the cloud does not carry out yet. */
import type { Waiting } from './waits';

const beginning = 'waits: ';

/** The details of its instance. */
export const heldUpDetails = (because: string): string => `${beginning}${because}`;

/** The reason in the details of an instance; undefined: nothing holds it up. */
export const becauseHeldUp = (details: string | null): string | undefined =>
  details?.startsWith(beginning) === true ? details.slice(beginning.length) : undefined;

/** @param host the host that it is to leave */
export const reasonHeldUp = (instanceId: string, host: string, because: string): Waiting => ({
  waitingFor: 'move',
  who: instanceId,
  subject: host,
  because,
});
