/** The reason of an instance, or of its host, that waits for the time that the owner of the instance has set. */
import { fitsIntoNoHour, helpForHours } from '../obstacles/blocker';
import type { TimedByOwner } from '../owner-times/release';
import type { Reason } from './reason';

/** @param untilMs the time for which it waits; Infinity: it never comes */
export const ownerTimeReason = (
  who: string,
  { name, projectId: subject, ownerTimes }: TimedByOwner & { readonly name: string; readonly projectId: string },
  untilMs: number,
): Reason => {
  const reason = { waitingFor: 'owner_time', owner: 'project', who, subject } as const;
  if (untilMs === Infinity) {
    return { ...reason, because: fitsIntoNoHour(`instance ${name}`), help: helpForHours };
  }
  const from = new Date(untilMs).toISOString();
  const because =
    ownerTimes?.hours === undefined
      ? `instance ${name} is not to be impacted before ${from}`
      : `instance ${name} is to be impacted only in the hours of its owner, here from ${from} on`;
  return { ...reason, because, untilMs };
};
