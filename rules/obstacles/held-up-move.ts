/** The words for an action that has begun and that the cloud does not carry out yet. */
const beginning = 'waits: ';

/** The row of its instance tells this. @param since the time since when the reason is there */
export const heldUp = (because: string, since: Date): { readonly details: string; readonly heldUpSince: Date } => ({
  details: `${beginning}${because}`,
  heldUpSince: since,
});

/** The reason in the details of an instance; undefined: nothing holds it up. */
export const becauseHeldUp = (details: string | null): string | undefined =>
  details?.startsWith(beginning) === true ? details.slice(beginning.length) : undefined;
