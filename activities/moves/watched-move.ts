/** A granted action that is carried out, and what may be seen of it. */
import type { MoveStatus } from '../../clouds/cloud-driver';
import type { ClaimRecord } from '../../prisma/moves/claims';
import type { MoveLimit } from './move-clock';

export interface MoveWatch {
  readonly claim: ClaimRecord;
  readonly start: 'startMove' | 'forceMove';
  readonly limit: MoveLimit;
}

/** givenUp: an own action whose session is to end does not hold that up. */
export type WatchedMove = MoveStatus | { readonly kind: 'givenUp' };
