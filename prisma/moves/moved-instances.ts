/** Which instances sessions that are not over have moved. */
import { Prisma } from '@prisma/client';
import { keyOf } from '../../rules/cloud/id';
import type { Queryable } from '../database';

/** @returns those of these instances whose move by such a session is over, by their given IDs */
export const findMoved = async (db: Queryable, instanceIds: readonly string[]): Promise<ReadonlySet<string>> => {
  if (instanceIds.length === 0) return new Set();
  const rows = await db.$queryRaw<{ key: string }[]>`
    SELECT DISTINCT claim.instance_key AS key FROM claim JOIN session ON session.id = claim.session_id
    WHERE claim.phase = 'closed' AND claim.outcome = 'done' AND session.deleted_at IS NULL
      AND session.state NOT IN ('MAINTENANCE_DONE', 'MAINTENANCE_FAILED')
      AND claim.instance_key IN (${Prisma.join(instanceIds.map(keyOf))})`;
  const moved = new Set(rows.map(({ key }) => key));
  return new Set(instanceIds.filter((id) => moved.has(keyOf(id))));
};
