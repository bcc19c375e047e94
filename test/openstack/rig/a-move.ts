/** A move as the driver is asked for it, from compute-1 to compute-2; a test names only what it is about. */
import { randomUUID } from 'node:crypto';
import type { CloudDriver, MoveRequest, MoveStatus } from '../../../clouds/cloud-driver';
import { eventually } from '../../waiting/eventually';
import type { Server } from './operator';

const pollMs = 500;

export const aMove = ({ id }: Pick<Server, 'id'>, given: Partial<MoveRequest> = {}): MoveRequest => ({
  claimId: randomUUID(),
  instanceId: id,
  action: 'LIVE_MIGRATE',
  source: 'compute-1',
  target: 'compute-2',
  ...given,
});

/** The move's status. */
export const watchMove = (driver: CloudDriver, move: MoveRequest): Promise<MoveStatus> =>
  eventually({ what: `the move ${JSON.stringify(move)} is over`, pollMs }, async () => {
    const status = await driver.observeMove(move);
    return status.kind === 'running' ? undefined : status;
  });
