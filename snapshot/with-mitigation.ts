/**
 * The stored values of `resource_mitigation`, with the records about those whose projects are to delete them first:
 * such an instance needs a place after all where its project left the move to the service.
 */
import type { Transaction } from '../prisma/database';
import type { SessionHostRecord } from '../prisma/hosts/session-hosts';
import {
  findSettledActions,
  keyOfHost,
  keyOfLeaving,
  type LeavingInstance,
} from '../prisma/questions/facts-of-actions';
import { mayLeaveWithoutPlace } from '../rules/decisions/fleet/double-allocation';
import type { Instance } from '../rules/decisions/fleet/fleet';
import type { ViewOfInstance } from '../rules/decisions/fleet/seen-through';
import { actionByAnswers, actionOf } from '../rules/questions/action-by-answer';

interface Mitigating {
  readonly instances: readonly Instance[];
  /** Hosts of all unfinished sessions. */
  readonly works: readonly SessionHostRecord[];
  /** The stored values, by the instance's ID. */
  readonly mitigations: ReadonlyMap<string, boolean>;
}

export const withMitigation = async (
  tx: Transaction,
  { instances, works, mitigations }: Mitigating,
): Promise<ViewOfInstance> => {
  const mitigated: ViewOfInstance = (instance) => {
    const resourceMitigation = mitigations.get(instance.id);
    return resourceMitigation === undefined ? instance : { ...instance, resourceMitigation };
  };
  const ownerOf = new Map(works.map(({ hostname, sessionId }) => [hostname, sessionId]));
  const leavingOf = new Map(
    instances.flatMap((instance): [string, LeavingInstance][] => {
      const { id: instanceId, host: hostname } = instance;
      const sessionId = ownerOf.get(hostname);
      if (sessionId === undefined || !mayLeaveWithoutPlace(mitigated(instance))) return [];
      return [[instanceId, { sessionId, hostname, instanceId }]];
    }),
  );
  const { questionsAbout, expired } = await findSettledActions(tx, [...leavingOf.values()]);
  return (listed) => {
    const instance = mitigated(listed);
    const leaving = leavingOf.get(instance.id);
    if (leaving === undefined) return instance;
    const questions = questionsAbout.get(keyOfHost(leaving)) ?? [];
    const hasExpired = expired.has(keyOfLeaving(leaving));
    const settledAction = hasExpired ? actionOf(instance) : actionByAnswers({ instance, questions });
    return settledAction === undefined ? instance : { ...instance, settledAction };
  };
};
