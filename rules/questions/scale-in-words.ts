/** The words for the capacity that SCALE_IN asks for: the same in waiting reasons, failure, plan and test. */
import type { ScaleInNeed } from '../decisions/scale-in/scale-in-need';
import { having } from '../obstacles/immovable';
import type { Reason } from '../reasons/reason';
import { amountWords } from '../words/amount-words';

/** The host that needs the least, and its missing capacity. */
export const leastNeed = (need: ScaleInNeed): string => {
  const { host, missingSlots } = need;
  const amount = missingWords(need);
  if (missingSlots === 0) return `host ${host} needs the least, ${amount}`;
  return `host ${host} comes closest, but for the anti-affinity of what is on it: ${amount}`;
};

/** The reason of a host that waits while its session asks for capacity. */
export const needReason = (need: ScaleInNeed, who: string): Reason => {
  const because = [leastNeed(need), ...(need.refused === undefined ? [] : [need.refused])].join('; ');
  return { waitingFor: 'room', who, subject: missingWords(need), because };
};

/** Says what is missing, for example "4 vcpus and 2048 MB of memory more on 2 other hosts". */
const missingWords = ({ missing, wanted, missingOnHosts, missingSlots }: ScaleInNeed): string => {
  const room = amountWords(missing);
  if (missingSlots > 0) return `${counted(missingSlots, 'slot')} more on other hosts, or ${room} scaled in`;
  if (missingOnHosts === 0) return `${room} more on another enabled compute host${having(wanted)}`;
  return `${room} more on ${counted(missingOnHosts, 'other host')}${having(wanted)}`;
};

const counted = (count: number, word: string): string => {
  return `${String(count)} ${word}${count === 1 ? '' : 's'}`;
};
