/**
 * Moves that go on although their claim is over: the session was aborted, failed or was deleted meanwhile, or the limit
 * passed and Nova could not stop the move. Nobody watches them any more. A cold one would wait for its confirmation for
 * ever, and hold its server and the place on its source.
 */
import type { Queryable } from '../../../prisma/database';
import type { LeftOverMove } from '../../cloud-driver';
import { describeMove, isCold, type NovaMove, recordEnd } from './move-log';
import type { Mover } from './mover';
import { awaitsConfirmation } from './server-state';
import { watchMove } from './watch-move';

/** One round looks at so many, since each costs Nova a request. */
const mostAtOnce = 20;

/** Finds moves in no order, so that those which never end keep none from being looked at. */
const findLeftOvers = async (db: Queryable): Promise<NovaMove[]> => {
  const rows = await db.$queryRaw<{ id: string }[]>`
    SELECT move.id::text FROM openstack_move AS move LEFT JOIN claim ON claim.id = move.claim_id
    WHERE move.status IN ('posting', 'running') AND (move.action <> 'OWN_ACTION' OR move.forced)
      AND (claim.id IS NULL OR claim.phase NOT IN ('asked', 'moving'))
    ORDER BY random() LIMIT ${mostAtOnce}`;
  return db.openstackMove.findMany({ where: { id: { in: rows.map(({ id }) => id) } }, orderBy: { createdAt: 'asc' } });
};

/** Tells of each when it is found and when it is over. A move that Nova does not answer about keeps up no other. */
export const watchLeftOvers = async (mover: Mover): Promise<readonly LeftOverMove[]> => {
  const told: LeftOverMove[] = [];
  for (const move of await findLeftOvers(mover.db)) {
    try {
      told.push(...(await watchLeftOver(mover, move)));
    } catch (error) {
      const words = error instanceof Error ? error.message : String(error);
      told.push(leftOver(move, `could not be looked at: ${words}`));
    }
  }
  return told;
};

const watchLeftOver = async (mover: Mover, move: NovaMove): Promise<readonly LeftOverMove[]> => {
  // Nova is not asked again for a move that nobody wants any more.
  const impatient: Mover = { ...mover, noHostSeconds: 0, isEnding: true };
  const status = (await isTakenOver(mover, move))
    ? await recordEnd(mover.db, move, { kind: 'failed', reason: 'somebody else has moved the server since' })
    : await watchMove(impatient, move);
  if ('reason' in status) return [leftOver(move, `is over: ${status.reason}`)];
  switch (status.kind) {
    case 'running':
    case 'later':
      return (await isNews(mover.db, move)) ? [leftOver(move, 'goes on')] : [];
    case 'done':
      return [{ ...leftOver(move, `has arrived on ${status.host}${afterwards(status.trouble)}`), host: status.host }];
    case 'gone':
      return [leftOver(move, 'is over: the server is gone')];
    case 'unknown':
      return [leftOver(move, 'is over: Nova was never asked for it')];
  }
};

const afterwards = (trouble: string | undefined): string => (trouble === undefined ? '' : ` (${trouble})`);

const leftOver = (move: NovaMove, what: string): LeftOverMove => ({
  claimId: move.claimId,
  words: `left over: ${describeMove(move)} ${what}; its session no longer waited for it`,
});

/** True when a resize that waits for its confirmation is somebody else's: then it is not ours to confirm. */
const isTakenOver = async ({ nova }: Mover, move: NovaMove): Promise<boolean> => {
  if (!isCold(move) || move.requestId === null) return false;
  const seen = await nova.findServer(move.instanceId);
  if (seen === undefined || !awaitsConfirmation(seen.server)) return false;
  const newest = (await nova.listActions(move.instanceId)).find(({ action }) => resizes.has(action));
  return newest !== undefined && newest.request_id !== move.requestId;
};

const resizes: ReadonlySet<string> = new Set(['migrate', 'resize']);

const isNews = async (db: Queryable, { id }: NovaMove): Promise<boolean> =>
  (await db.$executeRaw`
    UPDATE openstack_move SET left_over_at = clock_timestamp() WHERE id = ${id}::uuid AND left_over_at IS NULL`) === 1;
