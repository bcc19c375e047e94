/** The words for what is missing: the same in waiting reasons, failure, log and test. */
import type { ScaleInNeed } from '../decision';
import type { Capacity } from '../fleet/capacity';
import type { Group, Waiting } from '../fleet/fleet';

/** For example "4 vcpus and 2048 MB of memory". */
export const capacityWords = ({ vcpus, memoryMb }: Capacity): string => {
  const parts = [vcpus > 0 ? `${vcpus} vcpus` : '', memoryMb > 0 ? `${memoryMb} MB of memory` : ''];
  return parts.filter((part) => part !== '').join(' and ');
};

/** The host that needs the least, and its missing capacity. */
export const leastNeed = (need: ScaleInNeed): string => {
  const { host, missingSlots } = need;
  const amount = missingWords(need);
  if (missingSlots === 0) return `host ${host} needs the least, ${amount}`;
  return `host ${host} comes closest, but for the anti-affinity of what is on it: ${amount}`;
};

/** The reason for which the session waits while it asks for capacity. */
export const needReason = (need: ScaleInNeed): Waiting => {
  const waitingFor = need.missingSlots > 0 ? 'affinity' : 'room';
  return { waitingFor, who: need.host, subject: missingWords(need), because: leastNeed(need) };
};

/** For example "4 vcpus and 2048 MB of memory more on 2 other hosts". */
const missingWords = ({ missingVcpus, missingMemoryMb, missingOnHosts, missingSlots }: ScaleInNeed): string => {
  const capacity = capacityWords({ vcpus: missingVcpus, memoryMb: missingMemoryMb });
  if (missingSlots > 0) return `${counted(missingSlots, 'slot')} more on other hosts, or ${capacity} scaled in`;
  if (missingOnHosts === 0) return `${capacity} more on another enabled compute host`;
  return `${capacity} more on ${counted(missingOnHosts, 'other host')}`;
};

const counted = (count: number, word: string): string => {
  return `${String(count)} ${word}${count === 1 ? '' : 's'}`;
};

/** Waits only because the session is paused, by an admin or, as `because` says, by itself. */
export const resumeReason = (who: string, pausedAtMs: number, because: string | null = null): Waiting => {
  return {
    waitingFor: 'resume',
    who,
    subject: new Date(pausedAtMs).toISOString(),
    ...(because !== null && { because }),
  };
};

/** The group for which something waits: its name and its ID, when it has a name. */
export const groupSubject = ({ id, name }: Group): Pick<Waiting, 'subject' | 'subjectId'> => {
  return id === undefined || id === name ? { subject: name } : { subject: name, subjectId: id };
};

/** For an instance that the cloud cannot move; see planning/fleet/fleet.ts, `Instance.cannotMove`. */
export const onlyOwnAction = (cannotMove: string): string => {
  return `the cloud does not move it, since ${cannotMove}: only its project can act (OWN_ACTION)`;
};

/** Further help, for a failed session. */
export const cannotBeMoved = (cannotMove: string): string => {
  return `${onlyOwnAction(cannotMove)}; let its manager answer OWN_ACTION in time and carry it out, or take away what keeps it there, then resume`;
};
