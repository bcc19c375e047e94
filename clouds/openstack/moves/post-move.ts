/** Asks Nova for a move that is in the log, and records Nova's immediate answer. */
import { BlockedRefusal, CloudRefusal, type MoveStatus, TargetRefusal } from '../../cloud-driver';
import { ServiceError } from '../http/service-error';
import type { ServerAction } from '../nova/nova-api';
import { adoptIfTaken } from './adopt';
import { type FailureVerdict, verdictOn } from './failure-table';
import { isLock, recordImmovable } from './immovable';
import {
  describeMove,
  forgetMove,
  giveUpPosting,
  isCold,
  type NovaMove,
  recordRunning,
  takeOverPosting,
} from './move-log';
import type { Mover } from './mover';

/**
 * The caller holds the posting of this move (logPosting, takeOverPosting).
 * @throws CloudRefusal when Nova refuses; the move does not exist then. After any other error nobody knows whether Nova
 * accepted it
 */
export const postMove = async (mover: Mover, move: NovaMove): Promise<MoveStatus> => {
  try {
    await askNova(mover, move);
    return { kind: 'running' };
  } catch (error) {
    if (!isRefusal(error)) {
      await giveUpPosting(mover.db, move);
      throw error;
    }
    await forgetMove(mover.db, move);
    const verdict = verdictOn(move, [{ words: error.reason }]);
    if (verdict === 'passes') return { kind: 'later', waitsFor: 'instance', because: error.reason };
    throw await refusalOf(mover, move, { error, verdict });
  }
};

interface TakenForRefusal {
  readonly error: ServiceError;
  readonly verdict: Exclude<FailureVerdict, 'passes'> | undefined;
}

/** Nova's answer says whether another target, or a cold move, may be accepted. */
const refusalOf = async (mover: Mover, move: NovaMove, { error, verdict }: TakenForRefusal): Promise<CloudRefusal> => {
  const message = `Cannot begin ${describeMove(move)}: ${error.reason}`;
  switch (verdict) {
    case 'otherTarget':
      return new TargetRefusal(message, mover.noHostSeconds);
    case 'notAtAll':
      await recordImmovable(mover.db, move, error.reason);
      return new BlockedRefusal(message, { cause: error });
    case 'notNow':
      if (isLock(error.reason)) await recordImmovable(mover.db, move, error.reason);
      return new BlockedRefusal(message, { cause: error });
    case 'notLive':
    case undefined:
      return new CloudRefusal(message, { cause: error });
  }
};

const askNova = async ({ db, nova }: Mover, move: NovaMove): Promise<void> => {
  try {
    const requestId = await nova.act(move.instanceId, actionOf(move));
    await recordRunning(db, move, { requestId, target: move.target });
  } catch (error) {
    // An admin may name a target by default, and a project's manager may not. Without that right the scheduler chooses.
    if (!(error instanceof ServiceError) || error.status !== 403 || move.target === null) throw error;
    const untargeted = { ...move, target: null };
    const requestId = await nova.act(move.instanceId, actionOf(untargeted));
    await recordRunning(db, move, { requestId, target: null });
  }
};

const actionOf = (move: NovaMove): ServerAction => {
  if (isCold(move)) return { migrate: move.target === null ? null : { host: move.target } };
  return { 'os-migrateLive': { host: move.target, block_migration: 'auto' } };
};

/** Nova understood and refused. 409: the state of the server does not allow this move. */
const isRefusal = (error: unknown): error is ServiceError =>
  error instanceof ServiceError && [400, 403, 404, 409].includes(error.status);

/** Continues when the log says that a process was about to ask Nova: it may have done so before it died. */
export const goOnPosting = async (mover: Mover, move: NovaMove): Promise<MoveStatus> => {
  if (await adoptIfTaken(mover, move)) return { kind: 'running' };
  return (await takeOverPosting(mover.db, move)) ? postMove(mover, move) : { kind: 'running' };
};
