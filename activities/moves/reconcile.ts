/**
 * Compares claims with the cloud and closes those that are over. A claim whose host workflow is open belongs to that
 * workflow and is left alone. Runs before a session fails, after a reset, on delete, and from the sweeper.
 */
import type { MoveStatus } from '../../clouds/cloud-driver';
import { lockLimits } from '../../prisma/constraints/constraint-locks';
import { inTransaction, lockSession, type Transaction } from '../../prisma/database';
import type { ActionEnd } from '../../prisma/moves/claim-end';
import { type ClaimRecord, findActiveClaims, findClaim } from '../../prisma/moves/claims';
import { limitKeysOf } from '../../rules/decisions/fleet/limit-keys';
import { hostWorkflowId } from '../../temporal/workflow-messages';
import { isWorkflowOpen } from '../../temporal/workflow-state';
import type { Services } from '../services';
import { endAction } from './end-action';
import { endUnwatched } from './end-by-status';
import { lookAtRefusal } from './note-refusal';

/** The services that comparing claims with the cloud needs. */
export type Reconciling = Pick<Services, 'db' | 'cloud' | 'client' | 'drafts' | 'logger' | 'measures'>;

export const reconcile = async (services: Reconciling, sessionId: string): Promise<void> => {
  const claims = await findActiveClaims(services.db, { sessionId });
  const isWorkedOn = await hostsWorkedOn(services, sessionId, new Set(claims.map(({ source }) => source)));
  for (const claim of claims.filter(({ source }) => !isWorkedOn.has(source))) {
    await compare(services, claim, await services.cloud.observeMove(claimedMove(claim)));
  }
};

const compare = async (services: Reconciling, claim: ClaimRecord, status: MoveStatus): Promise<void> => {
  const end = endUnwatched(claim, status);
  if (end === undefined) return; // still moving: the host's next workflow attaches to it
  const noteRefusal = status.kind === 'refused' ? await lookAtRefusal(services, claim) : undefined;
  await inTransaction(services.db, async (tx) => {
    const refusal = status.kind === 'refused' ? await noteRefusal?.(tx, status.passesInSeconds) : undefined;
    await endUnlessBegun(services, tx, { claim, end: { ...end, ...(refusal && { refusal }) } });
  });
};

const hostsWorkedOn = async (
  { client }: Pick<Services, 'client'>,
  sessionId: string,
  hostnames: ReadonlySet<string>,
): Promise<ReadonlySet<string>> => {
  const worked = new Set<string>();
  for (const hostname of hostnames) {
    if (await isWorkflowOpen(client, hostWorkflowId(sessionId, hostname))) worked.add(hostname);
  }
  return worked;
};

/**
 * A host's workflow that has just opened may have begun an action that had not begun at the look: then the claim
 * belongs to that workflow.
 */
const endUnlessBegun = async (
  services: Reconciling,
  tx: Transaction,
  { claim, end }: { readonly claim: ClaimRecord; readonly end: ActionEnd },
): Promise<void> => {
  await lockLimits(tx, limitKeysOf(claim));
  await lockSession(tx, claim.sessionId);
  const now = await findClaim(tx, claim.id);
  if (claim.startedAt === null && now?.startedAt !== null) return;
  await endAction(services, tx, { claim, end });
};

/** The claim with the cloud's facts. */
export const claimedMove = ({ id, instanceId, action, source, target }: ClaimRecord) => ({
  claimId: id,
  instanceId,
  action,
  source,
  target,
});
