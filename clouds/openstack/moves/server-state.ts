/** What a server's own state says about its moves: pure, in Nova's words. */
import type { NovaServer } from '../nova/answers';

export const hostOf = (server: NovaServer): string | undefined => server['OS-EXT-SRV-ATTR:host'] ?? undefined;

export const taskOf = (server: NovaServer): string | undefined => server['OS-EXT-STS:task_state'] ?? undefined;

/** Nova is doing something with the server, moving it or else. */
export const isBusy = (server: NovaServer): boolean =>
  taskOf(server) !== undefined || server.status === 'MIGRATING' || server.status === 'RESIZE';

const movingTasks = new Set(['migrating', 'resize_prep', 'resize_migrating', 'resize_migrated', 'resize_finish']);

/** Nova is moving the server. */
export const isMoving = (server: NovaServer): boolean =>
  movingTasks.has(taskOf(server) ?? '') || server.status === 'MIGRATING' || server.status === 'RESIZE';

/** A cold move has arrived and waits for its confirmation. */
export const awaitsConfirmation = (server: NovaServer): boolean =>
  server.status === 'VERIFY_RESIZE' && taskOf(server) === undefined;

/** Nova is not done with a move of the server. */
export const isOnItsWay = (server: NovaServer): boolean => isMoving(server) || server.status === 'VERIFY_RESIZE';

export const namedServer = ({ name, id }: NovaServer): string => `instance ${name} (${id})`;
