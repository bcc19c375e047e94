/**
 * Tells on its instance why an action that was asked for is not carried out yet, in the cloud's words. The session's
 * reasons to wait have it from there.
 */
import type { MoveStatus } from '../../clouds/cloud-driver';
import { databaseNow } from '../../prisma/database';
import { changeInstance, findInstanceDetails } from '../../prisma/hosts/session-instances';
import type { ClaimRecord } from '../../prisma/moves/claims';
import { becauseHeldUp, heldUpDetails } from '../../rules/obstacles/held-up-move';
import type { Services } from '../services';

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
      const details = because === undefined ? null : heldUpDetails(because);
      await changeInstance(db, claim, { details, updatedAt: await databaseNow(db) });
      told = { because };
    },
  };
};
