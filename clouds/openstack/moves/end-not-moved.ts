/** Ends a move whose server is idle on its source: what Nova says decides whether, and how, it is moved again. */
import type { Queryable } from '../../../prisma/database';
import type { MoveStatus } from '../../cloud-driver';
import type { SeenServer } from '../nova/seen-server';
import { comebackOf, isSettled, resetIfNeverLeft } from './after-live';
import { isLock, recordImmovable } from './immovable';
import { isCold, type NovaMove, recordEnd } from './move-log';
import type { Mover } from './mover';
import { type NovaRecords, recordsOf } from './nova-records';
import { isToWaitForHost } from './wait-for-host';
import { hasBegun } from './where-guest-is';
import { type Failure, whyFailed } from './why-failed';

export const endNotMoved = async (mover: Mover, move: NovaMove, seen: SeenServer): Promise<MoveStatus> => {
  const records = await recordsOf(mover.nova, move);
  return isCold(move) ? endCold(mover, move, { ...seen, records }) : endLive(mover, move, { ...seen, records });
};

interface SeenWithRecords extends SeenServer {
  readonly records: NovaRecords;
}

/** A server that a cold move has left in ERROR is its owner's. */
const endCold = (mover: Mover, move: NovaMove, seen: SeenWithRecords): Promise<MoveStatus> => {
  const failure = whyFailed(move, seen.server, seen.records);
  const isBroken = seen.server.status === 'ERROR';
  return endByVerdict(mover, move, { ...seen, failure: isBroken ? { ...failure, verdict: undefined } : failure });
};

const endLive = async (mover: Mover, move: NovaMove, seen: SeenWithRecords): Promise<MoveStatus> => {
  const { server, records } = seen;
  if (!(await isSettled(mover, move, seen))) {
    const progress = `the migration is ${records.migration?.status ?? 'over'}, and the server ${server.status} on ${move.source}`;
    return { kind: 'running', progress };
  }
  const failure = whyFailed(move, server, records);
  if (server.status === 'ERROR') {
    const left = await resetIfNeverLeft(mover, move, seen);
    if (left !== undefined) return recordEnd(mover.db, move, { kind: 'failed', ...left, isBlocked: true });
    const reason = `${failure.reason}; the guest had not left ${move.source}, so the state of the server was reset`;
    return endByVerdict(mover, move, { ...seen, failure: { ...failure, reason } });
  }
  if (records.migration?.status === 'completed') return endComeback(mover, move);
  return endByVerdict(mover, move, { ...seen, failure });
};

const endComeback = async (mover: Mover, move: NovaMove): Promise<MoveStatus> => {
  const { reason, isTooOften } = await comebackOf(mover, move);
  return recordEnd(
    mover.db,
    move,
    isTooOften ? { kind: 'failed', reason, isBlocked: true } : { kind: 'again', reason },
  );
};

interface Failed extends SeenWithRecords {
  readonly failure: Failure;
}

const endByVerdict = async (mover: Mover, move: NovaMove, failed: Failed): Promise<MoveStatus> => {
  const { reason, words, verdict } = failed.failure;
  const end = { kind: 'failed', reason } as const;
  switch (verdict) {
    case 'otherTarget':
    case 'passes': // Nothing is wrong with the server: it is not moved cold.
      if (move.target !== null) return recordEnd(mover.db, move, { kind: 'refused', reason });
      return (await isToWaitForHost(mover, move, failed)) ? { kind: 'running' } : recordEnd(mover.db, move, end);
    case 'notAtAll':
      await recordImmovable(mover.db, move, words);
      return recordEnd(mover.db, move, { ...end, isBlocked: true });
    case 'notNow':
      if (isLock(words)) await recordImmovable(mover.db, move, words);
      return recordEnd(mover.db, move, { ...end, isBlocked: true });
    case 'notLive':
      return recordEnd(mover.db, move, end);
    case undefined:
      return endWithoutVerdict(mover, move, failed);
  }
};

/** How a server is moved live again without knowing why it failed. */
interface LiveAgain {
  /** refused: to another target; again: in the same way. */
  readonly kind: 'refused' | 'again';
  readonly mostTimes: number;
}

/**
 * Nova's words tell neither that the target is at fault nor that the server is. So another try may succeed: in the same
 * way where the migration was broken off, else on another target.
 */
const endWithoutVerdict = async (mover: Mover, move: NovaMove, failed: Failed): Promise<MoveStatus> => {
  const { reason } = failed.failure;
  const again = isCold(move) || mover.isEnding ? undefined : howAgain(move, failed);
  if (again === undefined || (await triesBefore(mover.db, move)) >= again.mostTimes)
    return recordEnd(mover.db, move, { kind: 'failed', reason });
  return recordEnd(mover.db, move, { kind: again.kind, reason, marks: { inconclusive: true } });
};

/** A guest whose migration failed while it ran has suffered from it: fewer targets are tried. */
const howAgain = ({ target }: NovaMove, { server, records }: SeenWithRecords): LiveAgain | undefined => {
  const hasRun = hasBegun(records);
  const isBrokenOff = server.status === 'ERROR' || records.migration?.status === 'cancelled';
  if (hasRun && isBrokenOff) return { kind: 'again', mostTimes: 1 };
  return target === null ? undefined : { kind: 'refused', mostTimes: hasRun ? 1 : 2 };
};

/** Within a day, and since the server was last moved. */
const triesBefore = async (db: Queryable, { id }: NovaMove): Promise<number> => {
  const [row] = await db.$queryRaw<{ tries: bigint }[]>`
    SELECT count(*) AS tries FROM openstack_move AS other JOIN openstack_move AS this USING (instance_key)
    WHERE this.id = ${id}::uuid AND other.inconclusive AND other.created_at > clock_timestamp() - interval '1 day'
      AND NOT EXISTS (SELECT FROM openstack_move AS moved WHERE moved.instance_key = this.instance_key
                      AND moved.status = 'done' AND moved.created_at > other.created_at)`;
  return Number(row?.tries ?? 0);
};
