/**
 * Tells on its instance why an action that was asked for is not carried out yet, in the cloud's words. The session's
 * reasons to wait have it from there.
 */
import { CancelledFailure } from '@temporalio/activity';
import type { MoveStatus } from '../../clouds/cloud-driver';
import { type Database, databaseNow } from '../../prisma/database';
import { changeInstance, findInstanceDetails } from '../../prisma/hosts/session-instances';
import { type ClaimRecord, findClaim } from '../../prisma/moves/claims';
import { becauseHeldUp, heldUp } from '../../rules/obstacles/held-up-move';
import type { Services } from '../services';

/** A step that failed is tried again by itself: meanwhile its instance tells what the cloud said. */
export const orTellWhyNot = async <T>({ db }: Pick<Services, 'db'>, claimId: string, step: Promise<T>): Promise<T> => {
  try {
    return await step;
  } catch (error) {
    if (error instanceof Error && !(error instanceof CancelledFailure)) await tellFault(db, claimId, error.message);
    throw error;
  }
};

const tellFault = async (db: Database, claimId: string, fault: string): Promise<void> => {
  const claim = await findClaim(db, claimId).catch(() => null); // the fault may be the database's own
  if (claim?.phase !== 'moving') return;
  const updatedAt = await databaseNow(db);
  const told = heldUp(`it is tried again, since ${fault}`, updatedAt);
  if ((await findInstanceDetails(db, claim)) === told.details) return;
  await changeInstance(db, claim, { ...told, updatedAt });
};

export interface HoldUpTeller {
  /** Writes only what has changed. */
  note(status: MoveStatus): Promise<void>;
}

export const createHoldUpTeller = ({ db }: Pick<Services, 'db'>, claim: ClaimRecord): HoldUpTeller => {
  let told: { readonly because: string | undefined } | undefined;
  return {
    async note(status) {
      // A worker that was killed may have told another reason.
      told ??= { because: becauseHeldUp(await findInstanceDetails(db, claim)) };
      const isHeldUp = status.kind === 'running' && (status.isQueued === true || status.isStuck === true);
      const because = isHeldUp ? status.progress : undefined;
      if (because === told.because) return;
      const updatedAt = await databaseNow(db);
      const since = (isHeldUp ? status.heldUpSince : undefined) ?? updatedAt;
      const tells = because === undefined ? { details: null } : heldUp(because, since);
      await changeInstance(db, claim, { ...tells, updatedAt });
      told = { because };
    },
  };
};
