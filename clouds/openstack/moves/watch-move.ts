/** Observes a move in Nova: reads its status, confirms it when it waits for that, and records its end. */
import type { MoveStatus } from '../../cloud-driver';
import { ServiceError } from '../http/service-error';
import type { NovaServer } from '../nova/answers';
import type { SeenServer } from '../nova/seen-server';
import { adoptIfTaken } from './adopt';
import { endNotMoved } from './end-not-moved';
import { forgetImmovable } from './immovable';
import { runningStatus } from './live-progress';
import { forgetDeadPosting, isCold, type NovaMove, novaMoveStatus, recordEnd } from './move-log';
import type { Mover } from './mover';
import { awaitsConfirmation, hostOfServer, isBusy } from './server-state';
import { errorWords } from './why-failed';

/** @returns unknown when the process that started it died before it asked Nova */
export const watchMove = async (mover: Mover, move: NovaMove): Promise<MoveStatus> => {
  const status = await statusNow(mover, move);
  if (status.kind !== 'running') mover.progress.forget(move.id);
  // Nova's scheduler may have counted servers on the target that had left it (wait-for-host.ts).
  return status.kind === 'refused' ? { ...status, passesInSeconds: mover.noHostSeconds } : status;
};

const statusNow = async (mover: Mover, move: NovaMove): Promise<MoveStatus> => {
  if (move.status === 'posting') return watchPosting(mover, move);
  if (move.status !== 'running') return novaMoveStatus(move);
  // A project that acts itself hardly moves its server, so that no list of Nova has it.
  const isOwnAction = move.action === 'OWN_ACTION' && !move.forced;
  const { instanceId } = move;
  const seen = await (isOwnAction ? mover.nova.findServer(instanceId) : mover.lookAtMoving(instanceId));
  if (seen === undefined || isOnNoHost(seen.server)) return recordEnd(mover.db, move, { kind: 'gone' });
  if (isOwnAction) return watchOwnAction(mover, move, seen.server);
  return watchMigration(mover, move, seen);
};

/** Its project has shelved it and taken it off its host: lists do not have it there any more. */
const isOnNoHost = (server: NovaServer): boolean => hostOfServer(server) === undefined && !isBusy(server);

const watchPosting = async (mover: Mover, move: NovaMove): Promise<MoveStatus> => {
  if (await adoptIfTaken(mover, move)) return { kind: 'running' };
  return (await forgetDeadPosting(mover.db, move)) ? { kind: 'unknown' } : { kind: 'running' };
};

const watchOwnAction = async ({ db }: Mover, move: NovaMove, server: NovaServer): Promise<MoveStatus> => {
  const host = hostOfServer(server);
  if (host === undefined || host === move.source || isBusy(server)) return { kind: 'running' };
  return recordEnd(db, move, { kind: 'done', host });
};

const watchMigration = async (mover: Mover, move: NovaMove, seen: SeenServer): Promise<MoveStatus> => {
  const { server } = seen;
  if (isBusy(server)) return runningStatus(mover, move, seen);
  if (isCold(move) && awaitsConfirmation(server)) {
    await confirm(mover, server);
    return { kind: 'running' };
  }
  const host = hostOfServer(server);
  const isBroken = server.status === 'ERROR';
  if (host !== undefined && host !== move.source && !(isBroken && isCold(move))) {
    await forgetImmovable(mover.db, move);
    const trouble = isBroken ? { trouble: `it has arrived on ${host}; ${errorWords(server)}` } : {};
    return recordEnd(mover.db, move, { kind: 'done', host, ...trouble });
  }
  return endNotMoved(mover, move, seen);
};

/** Another process, or an earlier call of ours, may have confirmed it first: then nothing is left to confirm. */
const confirm = async ({ nova }: Mover, { id }: NovaServer): Promise<void> => {
  try {
    await nova.act(id, { confirmResize: null });
  } catch (error) {
    const isOver = error instanceof ServiceError && [400, 404, 409].includes(error.status);
    if (!isOver) throw error;
  }
};
