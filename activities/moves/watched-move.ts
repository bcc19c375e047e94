/** A granted action that is carried out, and what may be seen of it. */
import type { MoveStatus } from '../../clouds/cloud-driver';
import type { ClaimRecord } from '../../prisma/moves/claims';
import type { MoveLimit } from './move-clock';

export interface MoveWatch {
  readonly claim: ClaimRecord;
  readonly start: 'startMove' | 'forceMove';
  readonly limit: MoveLimit;
}

/** givenUp: an action of which nothing of Parley's is under way does not hold up the end of its session or host. */
export type WatchedMove = MoveStatus | GivenUpMove;

export interface GivenUpMove {
  readonly kind: 'givenUp';
  /** In words that follow "given up, because". */
  readonly because: string;
}
