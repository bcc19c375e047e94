/** Finds out, after a process died or Nova gave no clear answer, whether Nova has accepted a move. */
import type { Database } from '../../../prisma/database';
import type { NovaApi } from '../nova/nova-api';
import { findLoggedRequests, isCold, type NovaMove, recordRunning } from './move-log';
import { utcMs } from './why-failed';

export interface Adopting {
  readonly db: Database;
  readonly nova: NovaApi;
  /** The service's own user in Nova. */
  readonly userId: () => Promise<string>;
}

/** Nova's times are whole seconds, and the clocks of its services differ a little. */
const toleranceMs = 2_000;

/**
 * Nova keeps every action on a server with its user and time. An action of ours to which no logged move belongs was
 * begun for this move.
 * @returns true when such an action was found and recorded
 */
export const adoptIfTaken = async ({ db, nova, userId }: Adopting, move: NovaMove): Promise<boolean> => {
  const kind = isCold(move) ? 'migrate' : 'live-migration';
  const we = await userId();
  const since = move.novaTime.getTime() - toleranceMs;
  // A time that cannot be read counts as late: a move that was taken must not be asked for again.
  const ours = (await nova.listActions(move.instanceId)).filter(
    ({ action, user_id, start_time }) => action === kind && user_id === we && !(utcMs(start_time) < since),
  );
  const logged = await findLoggedRequests(
    db,
    ours.map(({ request_id }) => request_id),
  );
  const found = ours.find(({ request_id }) => !logged.has(request_id));
  if (found === undefined) return false;
  await recordRunning(db, move, { requestId: found.request_id, target: move.target });
  return true;
};
