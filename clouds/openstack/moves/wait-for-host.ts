/**
 * Repeats a move for which Nova found "No valid host", since this may pass within two minutes. After a live migration
 * Nova's scheduler still counts the server on its source until the next sync (scheduler_instance_sync_interval, 120 s),
 * and refuses members of an anti-affinity group until then. When the caller named the target, it chooses another one.
 * When Nova chooses, this code requests the move again, up to a limit.
 */
import { databaseNow } from '../../../prisma/database';
import type { SeenServer } from '../nova/seen-server';
import { knownRequestsOf } from './adopt';
import { type NovaMove, postAgain } from './move-log';
import type { Mover } from './mover';
import { postMove } from './post-move';

/** The time between two requests to Nova. */
const pauseMs = 10_000;

/** True while the move is not given up yet. Asks Nova again when that is due. */
export const isToWaitForHost = async (mover: Mover, move: NovaMove, { server, at }: SeenServer): Promise<boolean> => {
  if (server.status === 'ERROR') return false;
  const waitedMs = (await databaseNow(mover.db)).getTime() - move.createdAt.getTime();
  if (waitedMs >= mover.noHostSeconds * 1000) return false;
  if (at.getTime() - move.novaTime.getTime() < pauseMs) return true;
  const asked = { novaTime: at, knownRequests: await knownRequestsOf(mover.nova, move.instanceId) };
  if (await postAgain(mover.db, move, asked)) await postMove(mover, { ...move, ...asked });
  return true;
};
