/** Actions that have begun since a project was asked about their instances: answers cannot change them any more. */
import { keyOf } from '../../rules/cloud/id';
import type { Action } from '../../rules/decisions/fleet/fleet';
import type { BegunAction } from '../../rules/questions/changed-answer';
import type { Question } from '../../rules/questions/question';
import type { Queryable } from '../database';

interface InstancesAskedAbout {
  readonly sessionId: string;
  readonly question: Pick<Question, 'claimId' | 'createdAtMs'>;
  readonly instanceIds: readonly string[];
}

/**
 * The actions of these instances, under the question's own claim or one that the session granted later, earliest first.
 */
export const findBegunActions = async (
  tx: Queryable,
  { sessionId, question: { claimId, createdAtMs }, instanceIds }: InstancesAskedAbout,
): Promise<BegunAction[]> => {
  if (instanceIds.length === 0) return [];
  const rows = await tx.claim.findMany({
    where: {
      sessionId,
      instanceKey: { in: instanceIds.map(keyOf) },
      startedAt: { not: null },
      // An action that its target refused has not begun in the cloud: another target is to be found.
      AND: { OR: [{ outcome: null }, { outcome: { not: 'refused' } }] },
      OR: [{ createdAt: { gte: new Date(createdAtMs) } }, ...(claimId === undefined ? [] : [{ id: claimId }])],
    },
    select: { instanceId: true, instanceName: true, action: true, startedAt: true },
    orderBy: { startedAt: 'asc' },
  });
  return rows.flatMap(({ instanceId, instanceName, action, startedAt }) =>
    // The column holds values that admission and beginnings wrote.
    startedAt === null ? [] : [{ instanceId, instanceName, action: action as Action, sinceMs: startedAt.getTime() }],
  );
};
