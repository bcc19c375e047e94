/**
 * Decides whether an admin may still change how a session is steered. Facts in, data out. The fields that PATCH changes
 * are in api/schemas/steering-schemas.ts.
 */

export interface ChangeRefusal {
  readonly because: string;
  readonly hint: string;
}

/** Undefined when it may be changed. A failed session may be: the change holds once PUT continues it. */
export const refusalOfChange = ({
  state,
  isDeleting,
}: {
  readonly state: string;
  readonly isDeleting: boolean;
}): ChangeRefusal | undefined => {
  if (isDeleting) return { because: 'it is being deleted', hint: 'create another session for its hosts' };
  if (state === 'MAINTENANCE_DONE')
    return { because: 'it is done', hint: 'create another session; DELETE removes this one' };
  return undefined;
};
