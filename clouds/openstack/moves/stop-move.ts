/** Ending what runs for a claim before its time: hastening a live migration, aborting it, moving cold instead. */
import { setTimeout as pause } from 'node:timers/promises';
import type { MoveRequest, MoveStatus } from '../../cloud-driver';
import { ServiceError } from '../http/service-error';
import { begin } from './begin-move';
import { describeMove, isCold, type LoggedMove, newestMoveOf, recordEnd } from './move-log';
import type { Mover } from './mover';
import { goOnPosting } from './post-move';
import { resetAfterFailedMove } from './reset-state';
import { watchMove } from './watch-move';

/** How long a live migration may take to end once it was told to. */
const hasteMs = 5_000;
const abortMs = 15_000;
const pollMs = 500;

/**
 * Nova first completes what runs, by pausing the instance; where that does not end it soon, the live migration is
 * aborted and the instance moved cold.
 * @throws CloudRefusal where the cold move cannot begin
 */
export const forceMove = async (mover: Mover, request: MoveRequest): Promise<MoveStatus> => {
  const known = await newestMoveOf(mover.db, request.claimId);
  if (known === undefined) return begin(mover, cold(request));
  if (known.forced) return known.status === 'posting' ? goOnPosting(mover, known) : watchMove(mover, known);
  const status = await endUnforced(impatient(mover), known);
  if (status.kind === 'done' || status.kind === 'gone' || status.kind === 'running') return status;
  await resetAfterFailedMove(mover, known);
  return begin(mover, cold(request));
};

/** Waits no longer for a host that the scheduler does not find. */
const impatient = (mover: Mover): Mover => ({ ...mover, noHostSeconds: 0 });

const cold = (request: MoveRequest) => ({ ...request, action: 'MIGRATE', forced: true }) as const;

/** Running: it would neither complete nor be aborted, so nothing else can be begun. */
const endUnforced = async (mover: Mover, move: LoggedMove): Promise<MoveStatus> => {
  const status = await watchMove(mover, move);
  if (status.kind !== 'running') return status;
  if (move.action === 'LIVE_MIGRATE') {
    await forEachRunning(mover, move, (id) => mover.nova.forceComplete(move.instanceId, id));
    const hastened = await untilOver(mover, move, { withinMs: hasteMs });
    if (hastened.kind !== 'running') return hastened;
  }
  return stop(mover, move);
};

/** Stops what runs for the claim where Nova can, and tells what became of it. */
export const abortMove = async (mover: Mover, { claimId }: MoveRequest): Promise<MoveStatus> => {
  const known = await newestMoveOf(mover.db, claimId);
  if (known === undefined) return { kind: 'unknown' };
  const status = await watchMove(impatient(mover), known);
  return status.kind === 'running' ? stop(impatient(mover), known) : status;
};

/** Nova cannot abort a cold move: it goes on. */
const stop = async (mover: Mover, move: LoggedMove): Promise<MoveStatus> => {
  if (move.action === 'OWN_ACTION' && !move.forced) {
    return recordEnd(mover.db, move, { kind: 'failed', reason: `${describeMove(move)} was given up` });
  }
  if (isCold(move)) return { kind: 'running' };
  const abort = () => forEachRunning(mover, move, (id) => mover.nova.abort(move.instanceId, id));
  return untilOver(mover, move, { withinMs: abortMs, each: abort });
};

interface Patience {
  readonly withinMs: number;
  /** Done before every look. */
  readonly each?: () => Promise<void>;
}

const untilOver = async (mover: Mover, move: LoggedMove, { withinMs, each }: Patience): Promise<MoveStatus> => {
  const giveUpAt = Date.now() + withinMs;
  for (;;) {
    await each?.();
    const status = await watchMove(mover, move);
    if (status.kind !== 'running' || Date.now() > giveUpAt) return status;
    await pause(pollMs);
  }
};

/** One that is over meanwhile, or not as far yet, cannot be told anything: that is seen at the next look. */
const forEachRunning = async (
  { nova }: Mover,
  { instanceId }: LoggedMove,
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
