/** Finds out, after a process died or Nova gave no clear answer, whether Nova has accepted a move. */
import type { Database } from '../../../prisma/database';
import type { ListedAction } from '../nova/answers';
import type { NovaApi } from '../nova/nova-api';
import { findLoggedRequests, isCold, type NovaMove, recordRunning } from './move-log';
import { utcMs } from './nova-records';

export interface Adopting {
  readonly db: Database;
  readonly nova: NovaApi;
  /** The service's own user in Nova. */
  readonly userId: () => Promise<string>;
}

/** The newest ones tell which actions are later than the move. */
const mostKnown = 20;

/** The requests for actions on the server that Nova knows before it is asked for a move. */
export const knownRequestsOf = async (
  nova: Pick<NovaApi, 'listActions'>,
  serverId: string,
): Promise<readonly string[]> => (await nova.listActions(serverId)).slice(0, mostKnown).map(({ request_id: id }) => id);

/**
 * Nova keeps every action on a server with its user. An action of ours that Nova did not know before it was asked, and
 * to which no other logged move belongs, was begun for this move.
 *
 * @returns true when such an action was found and recorded
 */
export const adoptIfTaken = async ({ db, nova, userId }: Adopting, move: NovaMove): Promise<boolean> => {
  const kind = isCold(move) ? 'migrate' : 'live-migration';
  const we = await userId();
  const ours = laterThan(move, await nova.listActions(move.instanceId)).filter(
    ({ action, user_id }) => action === kind && user_id === we,
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

/** Nova's times are whole seconds, and the clocks of its services differ a little. */
const toleranceMs = 2_000;

/**
 * Nova's clocks do not tell: the one that answers and the one that writes an action down may differ by minutes.
 *
 * @param listed newest first
 */
export const laterThan = (
  { knownRequests, novaTime }: Pick<NovaMove, 'knownRequests' | 'novaTime'>,
  listed: readonly ListedAction[],
): readonly ListedAction[] => {
  if (knownRequests.length > 0) {
    const known = new Set(knownRequests);
    const first = listed.findIndex(({ request_id: id }) => known.has(id));
    return first === -1 ? listed : listed.slice(0, first);
  }
  // Logged by a version that did not ask. A time that cannot be read counts as late: a move that was taken must not be
  // asked for again.
  return listed.filter(({ start_time }) => !(utcMs(start_time) < novaTime.getTime() - toleranceMs));
};
