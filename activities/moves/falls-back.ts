/** Decides whether an action that did not succeed is forced: a live migration falls back to a cold one. */
import type { CloudDriver } from '../../clouds/cloud-driver';
import type { ClaimRecord } from '../../prisma/moves/claims';
import type { WatchedMove } from './watched-move';

/**
 * Only the cloud's default action falls back: when it failed, or did not end within its limit; not where another way
 * would be blocked as well, nor where the cloud says that the move is over.
 */
export const fallsBack = ({ actions }: CloudDriver, { action }: ClaimRecord, status: WatchedMove): boolean =>
  action === actions.default &&
  ((status.kind === 'running' && status.isStuck !== true) || (status.kind === 'failed' && !status.isBlocked));
