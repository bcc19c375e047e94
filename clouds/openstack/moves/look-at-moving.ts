/**
 * Looks at the servers of moves in flight. Looks at about the same time share one list of the servers that Nova is
 * moving. A server that the list lacks has arrived, has failed or is gone, and is looked at by itself.
 */
import { fewAtOnce } from '../../../calls/few-at-once';
import { gathered } from '../../../calls/joined';
import { keyOf } from '../../../rules/cloud/id';
import type { NovaApi } from '../nova/nova-api';
import type { SeenServer } from '../nova/seen-server';
import { isMoving } from './server-state';

type Nova = Pick<NovaApi, 'findServer' | 'listMovingServers'>;

/** Fewer servers cost Nova less one by one. */
const fewestForList = 3;

/** The server, or the error of its own look: that of one server stops no other. */
type ServerLook = () => SeenServer | undefined;

export type LookAtMoving = (serverId: string) => Promise<SeenServer | undefined>;

export const createLookAtMoving = (nova: Nova): LookAtMoving => {
  const look = gathered(async (serverIds: readonly string[]): Promise<ReadonlyMap<string, ServerLook>> => {
    const listed = serverIds.length < fewestForList ? new Map<string, SeenServer>() : await listMoving(nova);
    const outcomeOf = async (serverId: string) => {
      const seen = listed.get(keyOf(serverId));
      return [serverId, seen === undefined ? await lookAtOne(nova, serverId) : () => seen] as const;
    };
    return new Map(await fewAtOnce(serverIds, outcomeOf));
  });
  return async (serverId) => (await look(serverId))?.();
};

const lookAtOne = async (nova: Nova, serverId: string): Promise<ServerLook> => {
  try {
    const seen = await nova.findServer(serverId);
    return () => seen;
  } catch (error) {
    return () => {
      throw error;
    };
  }
};

/** Nova may have ignored the filter. */
const listMoving = async (nova: Nova): Promise<ReadonlyMap<string, SeenServer>> => {
  const moving = (await nova.listMovingServers()).filter(({ server }) => isMoving(server));
  return new Map(moving.map((seen) => [keyOf(seen.server.id), seen]));
};
