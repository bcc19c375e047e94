/**
 * Moves in the simulated cloud that last until a test has looked: it holds instances with `held`, gives the service
 * `timeForHeldMoves`, and ends the moves itself.
 */
import type { Database } from '../../../prisma/database';
import { eventually } from '../../waiting/eventually';

/** An instance's move_s. At every speed that tests use this is longer than any test. */
export const heldMoveSeconds = 1_000_000;

/** The fields of an instance whose move lasts until the test ends it. */
export const held = { move_s: heldMoveSeconds } as const;

/** The same for a member of a group, whose constraints have a limit of their own. */
export const heldMember = { ...held, max_interruption_time: 3_600 } as const;

/** Changes to the service's environment. */
export const timeForHeldMoves = { PARLEY_LIVE_MOVE_SECONDS: '3600', PARLEY_MOVE_SECONDS: '3600' } as const;

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

/** Ends the moves of these instances; those that begin later take no time. */
export const endHeldMoves = async (db: Database, instances: readonly { readonly instance_id: string }[]) => {
  const where = { instanceId: { in: instances.map(({ instance_id }) => instance_id) } };
  await db.simInstance.updateMany({ where, data: { moveS: 0 } });
  await db.simMove.updateMany({ where: { ...where, status: 'running' }, data: { endsAt: new Date() } });
};
