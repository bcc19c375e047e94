/** The turn to tell what is coming: one API process has it at a time, and another one follows a process that died. */
import type { Queryable } from '../database';

/** Takes the turn, or keeps it, for the time. False: another process has it. */
export const takeComingTurn = async (db: Queryable, holder: string, forMs: number): Promise<boolean> => {
  const taken = await db.$executeRaw`
    INSERT INTO coming_turn (holder, held_until)
    VALUES (${holder}::uuid, clock_timestamp() + ${forMs} * interval '1 ms')
    ON CONFLICT (id) DO UPDATE SET holder = EXCLUDED.holder, held_until = EXCLUDED.held_until
    WHERE coming_turn.holder = EXCLUDED.holder OR coming_turn.held_until < clock_timestamp()`;
  return taken > 0;
};

/** Gives the turn back, so that another process need not wait. */
export const releaseComingTurn = async (db: Queryable, holder: string): Promise<void> => {
  await db.comingTurn.deleteMany({ where: { holder } });
};
