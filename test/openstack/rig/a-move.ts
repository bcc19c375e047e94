/** A move as the driver is asked for it, from compute-1 to compute-2; a test names only what it is about. */
import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import type { CloudDriver, MoveRequest, MoveStatus } from '../../../clouds/cloud-driver';
import type { Server } from './operator';

const pollMs = 400;

export const aMove = ({ id }: Pick<Server, 'id'>, given: Partial<MoveRequest> = {}): MoveRequest => ({
  claimId: randomUUID(),
  instanceId: id,
  action: 'LIVE_MIGRATE',
  source: 'compute-1',
  target: 'compute-2',
  ...given,
});

/** What became of the move, or how it stands when patience is over. */
export const watchMove = async (driver: CloudDriver, move: MoveRequest, patienceMs: number): Promise<MoveStatus> => {
  const giveUpAt = Date.now() + patienceMs;
  for (;;) {
    const status = await driver.observeMove(move);
    if (status.kind !== 'running' || Date.now() > giveUpAt) return status;
    await pause(pollMs);
  }
};
