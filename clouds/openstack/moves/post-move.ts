/** Asking Nova for a move that is in the log, and recording what it says at once. */
import { CloudRefusal, type MoveStatus } from '../../cloud-driver';
import { ServiceError } from '../http/service-error';
import type { ServerAction } from '../nova/nova-api';
import { adoptIfTaken } from './adopt';
import {
  describeMove,
  forgetMove,
  giveUpPosting,
  isCold,
  type LoggedMove,
  recordRunning,
  takeOverPosting,
} from './move-log';
import type { Mover } from './mover';

/**
 * The caller has the posting of this move (logPosting, takeOverPosting).
 * @throws CloudRefusal where Nova says no; there is no such move then. Anything else: whether Nova took it is not known
 */
export const postMove = async (mover: Mover, move: LoggedMove): Promise<MoveStatus> => {
  try {
    await askNova(mover, move);
    return { kind: 'running' };
  } catch (error) {
    if (!isRefusal(error)) {
      await giveUpPosting(mover.db, move);
      throw error;
    }
    await forgetMove(mover.db, move);
    throw new CloudRefusal(`Cannot begin ${describeMove(move)}: ${error.reason}`, { cause: error });
  }
};

const askNova = async ({ db, nova }: Mover, move: LoggedMove): Promise<void> => {
  try {
    const requestId = await nova.act(move.instanceId, actionOf(move));
    await recordRunning(db, move, { requestId, target: move.target });
  } catch (error) {
    // By default an admin may name a target and a project's manager may not: then the scheduler chooses.
    if (!(error instanceof ServiceError) || error.status !== 403 || move.target === null) throw error;
    const untargeted = { ...move, target: null };
    const requestId = await nova.act(move.instanceId, actionOf(untargeted));
    await recordRunning(db, move, { requestId, target: null });
  }
};

const actionOf = (move: LoggedMove): ServerAction => {
  if (isCold(move)) return { migrate: move.target === null ? null : { host: move.target } };
  return { 'os-migrateLive': { host: move.target, block_migration: 'auto' } };
};

/** Nova understood and said no; 409: the server is in a state in which it cannot be moved so. */
const isRefusal = (error: unknown): error is ServiceError =>
  error instanceof ServiceError && [400, 403, 404, 409].includes(error.status);

/** Goes on where the log says that Nova was about to be asked: it may have been, by a process that died. */
export const goOnPosting = async (mover: Mover, move: LoggedMove): Promise<MoveStatus> => {
  if (await adoptIfTaken(mover, move)) return { kind: 'running' };
  return (await takeOverPosting(mover.db, move)) ? postMove(mover, move) : { kind: 'running' };
};
