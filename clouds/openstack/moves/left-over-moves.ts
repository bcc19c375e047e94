/**
 * Moves that go on although their claim is over: the session was aborted, failed or was deleted meanwhile, or the limit
 * passed and Nova could not stop the move. Nobody watches them any more. A cold one would wait for its confirmation for
 * ever, and hold its server and the place on its source.
 */
import type { Queryable } from '../../../prisma/database';
import { describeMove, type NovaMove } from './move-log';
import type { Mover } from './mover';
import { watchMove } from './watch-move';

/** One round looks at so many, the oldest first, since each costs Nova a request. */
const mostAtOnce = 20;

const findLeftOvers = async (db: Queryable): Promise<NovaMove[]> => {
  const rows = await db.$queryRaw<{ id: string }[]>`
    SELECT move.id::text FROM openstack_move AS move LEFT JOIN claim ON claim.id = move.claim_id
    WHERE move.status IN ('posting', 'running') AND (move.action <> 'OWN_ACTION' OR move.forced)
      AND (claim.id IS NULL OR claim.phase NOT IN ('asked', 'moving'))
    ORDER BY move.created_at LIMIT ${mostAtOnce}`;
  return db.openstackMove.findMany({ where: { id: { in: rows.map(({ id }) => id) } }, orderBy: { createdAt: 'asc' } });
};

/** @returns for each that is left over: what it is, and what came of it */
export const watchLeftOvers = async (mover: Mover): Promise<readonly string[]> => {
  const told: string[] = [];
  for (const move of await findLeftOvers(mover.db)) {
    const { kind } = await watchMove(mover, move);
    told.push(`${describeMove(move)} is left over from a session that is over: ${kind}`);
  }
  return told;
};
