/** The reason of an instance that nobody can move in its present state. */
import { heldByState, type HeldInstance } from '../obstacles/immovable';
import type { Reason } from './reason';

export const reasonOfState = (instance: HeldInstance & { readonly host: string }): Reason => {
  const cause = heldByState(instance);
  const subject = cause.owner === 'project' ? instance.projectId : instance.host;
  return { waitingFor: 'state', who: instance.id, subject, ...cause };
};
