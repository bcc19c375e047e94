/**
 * How far a live migration has come: whether Nova has begun it, and how much is left to copy. Nova tells both of
 * migrations in flight. What was seen is kept in the log, because another process may look next.
 */
import { type Database, databaseNow } from '../../../prisma/database';
import type { RunningMove } from '../../cloud-driver';
import { isOver } from '../content/unfinished-moves';
import type { NovaRunningMigration } from '../nova/answers';
import type { SeenServer } from '../nova/seen-server';
import { noteOver } from './after-live';
import { isCold, type NovaMove } from './move-log';
import type { Mover } from './mover';
import { recordsOf } from './nova-records';

/** What the log keeps of it. */
export type SeenProgress = Pick<NovaMove, 'queued' | 'ranAt' | 'leastLeft' | 'progressAt'>;

/** A look costs a request. A live migration that ends sooner needs none. */
const firstLookMs = 5_000;

/** The status of a move while Nova is busy with its server. */
export const runningStatus = async (mover: Mover, move: NovaMove, { at }: SeenServer): Promise<RunningMove> => {
  if (isCold(move) || at.getTime() - move.novaTime.getTime() < firstLookMs) return toStatus(move);
  const lately = mover.progress.seenLately(move.id);
  if (lately !== undefined) return lately;
  const [migration] = await mover.nova.listRunningMigrations(move.instanceId);
  const stuck = migration === undefined ? await stuckStatus(mover, move) : undefined;
  if (stuck !== undefined) return stuck;
  const seen = seenNow(move, migration, await databaseNow(mover.db));
  if (isNews(move, seen)) await recordProgress(mover.db, move, seen);
  const status = toStatus(seen, migration);
  mover.progress.keep(move.id, status);
  return status;
};

/** Seconds for which Nova may take to let go of a server whose migration is over. */
const mostToLetGo = 5;

/** Nova says that the migration is over, and goes on showing the server as busy with it. */
const stuckStatus = async (mover: Mover, move: NovaMove): Promise<RunningMove | undefined> => {
  const { migration } = await recordsOf(mover.nova, move);
  if (migration === undefined || !isOver(migration)) return undefined;
  const { seconds } = await noteOver(mover.db, move, false);
  if (seconds < mostToLetGo) return { kind: 'running' };
  const progress =
    `Nova says that the migration is ${migration.status}, and still shows the server as migrating on ${move.source}; ` +
    `find out on which host it runs, and put its record right`;
  return { kind: 'running', isStuck: true, progress };
};

const waiting: ReadonlySet<string> = new Set(['accepted', 'queued', 'preparing']);

/** The smallest share of the whole that counts as progress, so that no migration goes on for ever. */
const leastShare = 100n;

/**
 * Nova does not list a migration that it has only accepted.
 *
 * @param migration undefined: Nova lists none, although it is busy with the server
 */
export const seenNow = (known: SeenProgress, migration: NovaRunningMigration | undefined, now: Date): SeenProgress => {
  const hasRun = known.ranAt !== null || known.leastLeft !== null;
  if (migration === undefined || waiting.has(migration.status)) return hasRun ? known : { ...known, queued: true };
  const { left, total } = bytesOf(migration);
  const ranAt = known.queued ? now : known.ranAt;
  const begun = { ...known, queued: false, ranAt };
  if (total === 0n) return begun;
  if (known.leastLeft === null) return { ...begun, leastLeft: left };
  const isLess = left <= known.leastLeft - total / leastShare && left < known.leastLeft;
  return isLess ? { ...begun, leastLeft: left, progressAt: now } : begun;
};

interface Bytes {
  readonly left: bigint;
  readonly total: bigint;
}

const nothingTold: Bytes = { left: 0n, total: 0n };

/** Memory and, where disks are copied too, disks. What the hypervisor has not told of both counts as nothing. */
const bytesOf = (migration: NovaRunningMigration): Bytes => {
  const memory = told(migration.memory_remaining_bytes, migration.memory_total_bytes);
  const disk = told(migration.disk_remaining_bytes, migration.disk_total_bytes);
  return { left: memory.left + disk.left, total: memory.total + disk.total };
};

const told = (left: number | null | undefined, total: number | null | undefined): Bytes =>
  left == null || total == null ? nothingTold : { left: BigInt(Math.trunc(left)), total: BigInt(Math.trunc(total)) };

const isNews = (known: SeenProgress, seen: SeenProgress): boolean =>
  known.queued !== seen.queued || known.ranAt !== seen.ranAt || known.leastLeft !== seen.leastLeft;

const recordProgress = async (db: Database, { id }: Pick<NovaMove, 'id'>, seen: SeenProgress): Promise<void> => {
  const { queued, ranAt, leastLeft, progressAt } = seen;
  await db.openstackMove.updateMany({
    where: { id, status: 'running' },
    data: { queued, ranAt, leastLeft, progressAt },
  });
};

const toStatus = ({ queued, ranAt, progressAt }: SeenProgress, migration?: NovaRunningMigration): RunningMove => {
  const progress = queued ? 'Nova has not begun it' : migration && progressIn(migration, progressAt);
  return {
    kind: 'running',
    ...(queued && { isQueued: true }),
    ...(ranAt !== null && { beganAt: ranAt }),
    ...(progressAt !== null && { progressAt }),
    ...(progress !== undefined && { progress }),
  };
};

const progressIn = (migration: NovaRunningMigration, progressAt: Date | null): string | undefined => {
  const { left, total } = bytesOf(migration);
  if (total === 0n) return undefined;
  const since = progressAt === null ? '' : `, and no less since ${progressAt.toISOString()}`;
  return `${megabytes(left)} of ${megabytes(total)} MB of memory and disks are left to copy${since}`;
};

const megabytes = (bytes: bigint): bigint => bytes / 1_048_576n;
