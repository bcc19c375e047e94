/** The times that the owners of instances have set in the sessions of their hosts (rules/owner-times). */
import type { Transaction } from '../prisma/database';
import type { SessionHostRecord } from '../prisma/hosts/session-hosts';
import { findAnswersInTime } from '../prisma/questions/answers-in-time';
import { keyOf } from '../rules/cloud/id';
import type { ViewOfInstance } from '../rules/decisions/fleet/seen-through';
import { answeredTimes } from '../rules/owner-times/answered-times';
import { isPutOff, type TimedByOwner } from '../rules/owner-times/release';
import type { RefusalLimits } from '../rules/questions/after-refusal';

/** Times to come. Undefined: nobody has set a time. */
export const withOwnerTimes = async (
  tx: Transaction,
  works: readonly Pick<SessionHostRecord, 'hostname' | 'sessionId'>[],
  { now, ...limits }: RefusalLimits & { readonly now: Date },
): Promise<ViewOfInstance | undefined> => {
  const answers = await findAnswersInTime(tx);
  if (answers.size === 0) return undefined;
  const timesOf = new Map([...answers].map(([sessionId, given]) => [sessionId, answeredTimes(given, limits)]));
  const sessionOn = new Map(works.map(({ hostname, sessionId }) => [hostname, sessionId]));
  return (instance) => {
    const ownerTimes = timesOf.get(sessionOn.get(instance.host) ?? '')?.get(keyOf(instance.id));
    return ownerTimes === undefined || !isPutOff({ ownerTimes }, now.getTime())
      ? instance
      : { ...instance, ownerTimes };
  };
};

/** The same for one instance in a session. */
export const ownerTimesOf = async (
  tx: Transaction,
  { sessionId, instanceId }: { readonly sessionId: string; readonly instanceId: string },
  limits: RefusalLimits,
): Promise<TimedByOwner> => {
  const answers = (await findAnswersInTime(tx, sessionId)).get(sessionId) ?? [];
  const ownerTimes = answeredTimes(answers, limits).get(keyOf(instanceId));
  return ownerTimes === undefined ? {} : { ownerTimes };
};
