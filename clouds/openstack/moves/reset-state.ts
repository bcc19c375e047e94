/**
 * Nova sets a server to ERROR when a move is refused late (two members of an anti-affinity group that chose one host),
 * although it runs on where it was. What an operator does then: make sure that it runs, and reset its state.
 */
import type { LoggedMove } from './move-log';
import type { Mover } from './mover';
import { hostOf } from './server-state';

const running = 1;

/** Does nothing where the server is not in ERROR, is elsewhere, or does not run: that is for its owner to mend. */
export const resetAfterFailedMove = async ({ nova }: Mover, move: LoggedMove): Promise<void> => {
  const seen = await nova.findServer(move.instanceId);
  if (seen?.server.status !== 'ERROR') return;
  const { server } = seen;
  // It was fit to be moved when this move began, or Nova would not have taken it.
  if (hostOf(server) !== move.source || server['OS-EXT-STS:power_state'] !== running) return;
  await nova.act(server.id, { 'os-resetState': { state: 'active' } });
};
