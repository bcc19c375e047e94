/** The reason of an instance, or of its host, that waits for the time that the owner of the instance has set. */
import type { Reason } from './reason';

/** @param untilMs the time that the owner has set */
export const ownerTimeReason = (
  who: string,
  { name, projectId: subject }: { readonly name: string; readonly projectId: string },
  untilMs: number,
): Reason => ({
  ...{ waitingFor: 'owner_time', owner: 'project' },
  who,
  subject,
  because: `instance ${name} is not to be impacted before ${new Date(untilMs).toISOString()}`,
  untilMs,
});
