/** The words for an action that has begun and that the cloud does not carry out yet. */
const beginning = 'waits: ';

/** The details of its instance. */
export const heldUpDetails = (because: string): string => `${beginning}${because}`;

/** The reason in the details of an instance; undefined: nothing holds it up. */
export const becauseHeldUp = (details: string | null): string | undefined =>
  details?.startsWith(beginning) === true ? details.slice(beginning.length) : undefined;
