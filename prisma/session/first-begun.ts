/** When the first of the sessions began that are under way. */
import type { Queryable } from '../database';

/** Undefined: none is under way. */
export const findFirstBegun = async (db: Queryable): Promise<Date | undefined> => {
  const { _min } = await db.session.aggregate({
    where: { deletedAt: null, state: { notIn: ['MAINTENANCE_DONE', 'MAINTENANCE_FAILED'] } },
    _min: { begunAt: true },
  });
  return _min.begunAt ?? undefined;
};
