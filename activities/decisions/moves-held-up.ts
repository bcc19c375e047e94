/** The reasons of a session's actions that have begun and that the cloud does not carry out yet. */
import type { Transaction } from '../../prisma/database';
import { findInstanceDetails } from '../../prisma/hosts/session-instances';
import type { ClaimRecord } from '../../prisma/moves/claims';
import { keyOf } from '../../rules/cloud/id';
import { becauseHeldUp, reasonHeldUp } from '../../rules/obstacles/held-up-move';
import type { Waiting } from '../../rules/obstacles/waits';

export const movesHeldUp = async (
  tx: Transaction,
  sessionId: string,
  claims: readonly ClaimRecord[],
): Promise<readonly Waiting[]> => {
  const begun = claims.filter((claim) => claim.sessionId === sessionId && isMoving(claim));
  const details = await findInstanceDetails(
    tx,
    sessionId,
    begun.map(({ instanceId }) => instanceId),
  );
  return begun.flatMap(({ instanceId, source }) => {
    const because = becauseHeldUp(details.get(keyOf(instanceId)) ?? null);
    return because === undefined ? [] : [reasonHeldUp(instanceId, source, because)];
  });
};

export const isMoving = ({ phase, startedAt }: ClaimRecord): boolean => phase === 'moving' && startedAt !== null;
