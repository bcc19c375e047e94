/**
 * "No valid host" may be gone in two minutes: after a live migration Nova's scheduler still counts the server on the
 * host that it left, until the next sync (scheduler_instance_sync_interval, 120 s), so that members of an anti-affinity
 * group are refused meanwhile. Where a target was named, another one is taken; where Nova chooses, the move is asked
 * for again, up to a limit.
 */
import { databaseNow } from '../../../prisma/database';
import type { SeenServer } from '../nova/nova-api';
import { type LoggedMove, postAgain } from './move-log';
import type { Mover } from './mover';
import { postMove } from './post-move';

/** Between two times that Nova is asked. */
const pauseMs = 10_000;

/** Whether the move is not given up yet; asks Nova again where that is due. */
export const isToWaitForHost = async (mover: Mover, move: LoggedMove, { server, at }: SeenServer): Promise<boolean> => {
  if (server.status === 'ERROR') return false;
  const waitedMs = (await databaseNow(mover.db)).getTime() - move.createdAt.getTime();
  if (waitedMs >= mover.noHostSeconds * 1000) return false;
  if (at.getTime() - move.novaTime.getTime() < pauseMs) return true;
  if (await postAgain(mover.db, move, at)) await postMove(mover, { ...move, novaTime: at });
  return true;
};
