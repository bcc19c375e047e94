/**
 * Tells on its instance why an action that was asked for is not carried out yet, in the cloud's words. The session's
 * reasons to wait have it from there.
 */
import type { MoveStatus } from '../../clouds/cloud-driver';
import { databaseNow } from '../../prisma/database';
import { changeInstance } from '../../prisma/hosts/session-instances';
import type { ClaimRecord } from '../../prisma/moves/claims';
import { heldUpDetails } from '../../rules/obstacles/held-up-move';
import type { Services } from '../services';

export interface HoldUpTeller {
  /** Writes only what has changed. */
  note(status: MoveStatus): Promise<void>;
}

export const createHoldUpTeller = ({ db }: Pick<Services, 'db'>, claim: ClaimRecord): HoldUpTeller => {
  let told: string | undefined;
  return {
    async note(status) {
      const because = status.kind === 'running' && status.isQueued === true ? status.progress : undefined;
      if (because === told) return;
      const details = because === undefined ? null : heldUpDetails(because);
      await changeInstance(db, claim, { details, updatedAt: await databaseNow(db) });
      told = because;
    },
  };
};
