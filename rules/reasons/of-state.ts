/** The reason of an instance that nobody can move in its present state, or of its host. */
import { type InstanceInState, stateWords } from '../obstacles/immovable';
import type { Reason } from './reason';

export const reasonOfState = (instance: InstanceInState, who = instance.id): Reason => {
  const { projectId, host, departure } = instance;
  const subject = departure.why?.owner === 'project' ? projectId : host;
  return { waitingFor: 'state', who, subject, because: stateWords(instance) };
};
