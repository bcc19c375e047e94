/**
 * Resets the state of a server. Nova sets a server to ERROR when it refuses a move late (two members of an
 * anti-affinity group chose one host), although the server still runs on its source. Like an operator would, this code
 * makes sure that the server runs, and then resets its state.
 */
import type { NovaMove } from './move-log';
import type { Mover } from './mover';
import { hostOfServer } from './server-state';

const running = 1;

/** Does nothing when the server is not in ERROR, is on another host, or does not run: its owner has to repair that. */
export const resetAfterFailedMove = async ({ nova }: Mover, move: NovaMove): Promise<void> => {
  const seen = await nova.findServer(move.instanceId);
  if (seen?.server.status !== 'ERROR') return;
  const { server } = seen;
  // The server could be moved when this move began, or Nova would not have accepted the move.
  if (hostOfServer(server) !== move.source || server['OS-EXT-STS:power_state'] !== running) return;
  await nova.act(server.id, { 'os-resetState': { state: 'active' } });
};
