/** Reads from a server's own state which moves it is in. Pure, in Nova's words. */
import type { NovaServer } from '../nova/answers';

export const hostOfServer = (server: NovaServer): string | undefined => server['OS-EXT-SRV-ATTR:host'] ?? undefined;

export const taskOf = (server: NovaServer): string | undefined => server['OS-EXT-STS:task_state'] ?? undefined;

/** True when Nova performs a task on the server, a move or another one. */
export const isBusy = (server: NovaServer): boolean =>
  taskOf(server) !== undefined || server.status === 'MIGRATING' || server.status === 'RESIZE';

const movingTasks = new Set(['migrating', 'resize_prep', 'resize_migrating', 'resize_migrated', 'resize_finish']);

/** True when Nova moves the server. */
export const isMoving = (server: NovaServer): boolean =>
  movingTasks.has(taskOf(server) ?? '') || server.status === 'MIGRATING' || server.status === 'RESIZE';

/** True when a cold move has arrived and waits for its confirmation. */
export const awaitsConfirmation = (server: NovaServer): boolean =>
  server.status === 'VERIFY_RESIZE' && taskOf(server) === undefined;

/** True when Nova has not finished a move of the server. */
export const isOnItsWay = (server: NovaServer): boolean => isMoving(server) || server.status === 'VERIFY_RESIZE';

export const namedServer = ({ name, id }: NovaServer): string => `instance ${name} (${id})`;
