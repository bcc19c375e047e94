/**
 * Resets the state of a server. Nova sets a server to ERROR when it refuses a move late (two members of an
 * anti-affinity group chose one host), although the server still runs on its source. Like an operator would, this code
 * makes sure that the server runs, and then resets its state.
 */
import { BlockedRefusal } from '../../cloud-driver';
import { ServiceError } from '../http/service-error';
import type { NovaServer } from '../nova/answers';
import { resetStateRight } from '../rights/table';
import type { NovaMove } from './move-log';
import type { Mover } from './mover';
import { hostOfServer, namedServer } from './server-state';

const running = 1;

/**
 * Does nothing when the server is not in ERROR, is on another host, or does not run: its owner has to repair that.
 * @throws BlockedRefusal that names the right to do it, when the service lacks that one
 */
export const resetAfterFailedMove = async ({ nova }: Mover, move: NovaMove): Promise<void> => {
  const seen = await nova.findServer(move.instanceId);
  if (seen?.server.status !== 'ERROR') return;
  const { server } = seen;
  // The server could be moved when this move began, or Nova would not have accepted the move.
  if (hostOfServer(server) !== move.source || server['OS-EXT-STS:power_state'] !== running) return;
  try {
    await nova.act(server.id, { 'os-resetState': { state: 'active' } });
  } catch (error) {
    throw error instanceof ServiceError && error.status === 403 ? rightIsLacking(server, error) : error;
  }
};

/** No call tries this right beforehand (rights/table.ts). */
const rightIsLacking = (server: NovaServer, cause: ServiceError): BlockedRefusal =>
  new BlockedRefusal(
    `Cannot move ${namedServer(server)}, which runs although Nova has set it to ERROR: ${cause.reason} ` +
      `Allow ${resetStateRight} to the role of the service, or reset its state (openstack server set --state active).`,
    { cause },
  );
