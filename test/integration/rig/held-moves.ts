/** Moves of the simulated cloud that take longer than anybody waits, and end when the test says so. */
import type { Database } from '../../../prisma/database';
import { eventually } from '../../waiting/eventually';

/** For an instance of a fleet: each of its moves takes hours, at any speed. */
export const held = { move_s: 1_000_000 } as const;

interface HeldMove {
  readonly instanceId: string;
  readonly forced?: boolean;
}

/** Waits until the instance's move is in the cloud's log. */
export const untilMoving = async (db: Database, { instanceId, forced = false }: HeldMove): Promise<void> => {
  await eventually(`instance ${instanceId} is moved${forced ? ' by force' : ''}`, async () => {
    const running = await db.simMove.count({ where: { instanceId, forced, status: 'running' } });
    return running > 0 || undefined;
  });
};

/** Ends the instance's move, as soon as it has begun. */
export const endMove = async (db: Database, move: HeldMove): Promise<void> => {
  await untilMoving(db, move);
  const { instanceId, forced = false } = move;
  await db.simMove.updateMany({ where: { instanceId, forced, status: 'running' }, data: { endsAt: new Date() } });
};
