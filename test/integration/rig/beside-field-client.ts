/**
 * A policy beside a manager that is a program of its own (test/field-client): it answers nothing, and ends the windows
 * in which nothing more is to come from that one, so that no test waits for their end.
 */
import { eventually } from '../../waiting/eventually';
import type { Policy } from './manager';
import type { Rig } from './rig';

/** Stands beside a client that scales in before it answers, and never answers the last question. */
export const besideScalingClient =
  ({ db }: Pick<Rig, 'db'>): Policy =>
  async ({ state, message_id: messageId }) => {
    if (state === 'MAINTENANCE_COMPLETE') return 'silent';
    if (state !== 'SCALE_IN') return undefined;
    await eventually(`the client answers SCALE_IN ${messageId}`, async () => {
      const { status } = await db.question.findUniqueOrThrow({ where: { messageId } });
      return status !== 'open' || undefined;
    });
    return 'silent';
  };
