/** Ends a claim's move before its time: speeds up a live migration, aborts it, or moves the instance cold instead. */
import { setTimeout as pause } from 'node:timers/promises';
import { BlockedRefusal, type MoveRequest, type MoveStatus } from '../../cloud-driver';
import { ServiceError } from '../http/service-error';
import { resetIfNeverLeft } from './after-live';
import { begin } from './begin-move';
import { describeMove, isCold, markLeft, newestMoveOf, type NovaMove, recordEnd } from './move-log';
import type { Mover } from './mover';
import { recordsOf } from './nova-records';
import { goOnPosting } from './post-move';
import { hostOfServer } from './server-state';
import { watchMove } from './watch-move';

/** The time in which a live migration must end after it was told to complete. */
const hasteMs = 5_000;
/** The further time of one whose bytes Nova tells: its guest is paused, and what is left is copied at full speed. */
const copyMs = 60_000;
const abortMs = 15_000;
const pollMs = 500;

/**
 * First tells Nova to complete the live migration by pausing the instance. When that does not end it soon, aborts it
 * and moves the instance cold.
 * @throws CloudRefusal when the cold move cannot begin
 */
export const forceMove = async (mover: Mover, request: MoveRequest): Promise<MoveStatus> => {
  const known = await newestMoveOf(mover.db, request.claimId);
  if (known === undefined) return begin(mover, cold(request));
  if (known.forced) return known.status === 'posting' ? goOnPosting(mover, known) : watchMove(mover, known);
  const status = await endUnforced(ending(mover), known);
  if (status.kind !== 'failed' && status.kind !== 'refused') return status;
  if (status.kind === 'failed' && status.isBlocked) throw new BlockedRefusal(status.reason);
  await putRight(mover, known);
  return begin(mover, cold(request));
};

/** Nova may set the server to ERROR after the end of the move was recorded. */
const putRight = async (mover: Mover, move: NovaMove): Promise<void> => {
  const seen = await mover.nova.findServer(move.instanceId);
  if (seen?.server.status !== 'ERROR' || isCold(move) || hostOfServer(seen.server) !== move.source) return;
  const records = await recordsOf(mover.nova, move);
  const left = await resetIfNeverLeft(mover, move, { server: seen.server, records });
  if (left === undefined) return;
  await markLeft(mover.db, move, left.marks);
  throw new BlockedRefusal(left.reason);
};

/** Stops waiting for a host that the scheduler does not find, and asks for no move again. */
const ending = (mover: Mover): Mover => ({ ...mover, noHostSeconds: 0, isEnding: true });

const cold = (request: MoveRequest) => ({ ...request, action: 'MIGRATE', forced: true }) as const;

/** Running: Nova would neither complete nor abort it, so nothing else can begin. */
const endUnforced = async (mover: Mover, move: NovaMove): Promise<MoveStatus> => {
  const status = await watchMove(mover, move);
  if (status.kind !== 'running') return status;
  if (move.action === 'LIVE_MIGRATE') {
    const hastened = await untilHastened(mover, move);
    if (hastened.kind !== 'running') return hastened;
  }
  return stop(mover, move);
};

/** Nova takes the command once, and refuses it before the migration runs. */
const untilHastened = async (mover: Mover, move: NovaMove): Promise<MoveStatus> => {
  const told = new Set<number>();
  const hasten = async (id: number): Promise<void> => {
    if (told.has(id)) return;
    await mover.nova.forceComplete(move.instanceId, id);
    told.add(id);
  };
  const hastened = await untilOver(mover, move, {
    withinMs: hasteMs,
    each: () => forEachRunning(mover, move, hasten),
  });
  if (hastened.kind !== 'running') return hastened;
  const migrations = await mover.nova.listRunningMigrations(move.instanceId);
  const isCopied = migrations.some(({ memory_total_bytes: total }) => (total ?? 0) > 0);
  return isCopied ? untilOver(mover, move, { withinMs: copyMs }) : hastened;
};

/** Stops the claim's move when Nova can, and returns its status. */
export const abortMove = async (mover: Mover, { claimId }: MoveRequest): Promise<MoveStatus> => {
  const known = await newestMoveOf(mover.db, claimId);
  if (known === undefined) return { kind: 'unknown' };
  const status = await watchMove(ending(mover), known);
  return status.kind === 'running' ? stop(ending(mover), known) : status;
};

/** Nova cannot abort a cold move: it continues. */
const stop = async (mover: Mover, move: NovaMove): Promise<MoveStatus> => {
  if (move.action === 'OWN_ACTION' && !move.forced) {
    return recordEnd(mover.db, move, { kind: 'failed', reason: `${describeMove(move)} was given up` });
  }
  if (isCold(move)) return { kind: 'running' };
  const abort = () => forEachRunning(mover, move, (id) => mover.nova.abort(move.instanceId, id));
  return untilOver(mover, move, { withinMs: abortMs, each: abort });
};

interface Patience {
  readonly withinMs: number;
  /** Runs before every look. */
  readonly each?: () => Promise<void>;
}

const untilOver = async (mover: Mover, move: NovaMove, { withinMs, each }: Patience): Promise<MoveStatus> => {
  const giveUpAt = Date.now() + withinMs;
  for (;;) {
    await each?.();
    const status = await watchMove(mover, move);
    if (status.kind !== 'running' || Date.now() > giveUpAt) return status;
    await pause(pollMs);
  }
};

/** A migration that is over, or not far enough yet, refuses commands: the next look shows its state. */
const forEachRunning = async (
  { nova }: Mover,
  { instanceId }: NovaMove,
  tell: (migrationId: number) => Promise<void>,
): Promise<void> => {
  for (const { id } of await nova.listRunningMigrations(instanceId)) {
    try {
      await tell(id);
    } catch (error) {
      const cannotNow = error instanceof ServiceError && [400, 404, 409].includes(error.status);
      if (!cannotNow) throw error;
    }
  }
};
