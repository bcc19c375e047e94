/** Finds the servers that Nova keeps together with others, and lists Nova's groups as seldom as possible. */
import type { Recent } from '../../calls/recent';
import { heldTogether, type KeptWithOthers } from './list-instances';
import type { NovaServer, NovaServerGroup } from './nova/answers';

export interface HeldServers {
  /** Answers for these servers, from a list that was just read. */
  readonly among: (servers: readonly NovaServer[]) => Promise<KeptWithOthers>;
  /** Answers for these servers, which are all that exist: other servers are forgotten. */
  readonly amongAll: (servers: readonly NovaServer[]) => Promise<KeptWithOthers>;
  /** Answers for one server, with the present members of its group: other members may have gone lately. */
  with(server: NovaServer): Promise<KeptWithOthers>;
}

/**
 * Limits the memory: a process that only looks up single servers, such as the API's, never learns which ones are gone.
 */
const mostBesideAll = 10_000;

/**
 * A server is in a group from its beginning or never, so groups are listed again when a server is seen for the first
 * time. Forgetting a server costs one listing.
 *
 * @param most the number of servers that are remembered beside those of the last `amongAll`
 */
export const createHeldServers = (groups: Recent<readonly NovaServerGroup[]>, most = mostBesideAll): HeldServers => {
  let seen = new Set<string>();
  let atMost = most;
  const listGroups = (servers: readonly NovaServer[]) =>
    servers.every(({ id }) => seen.has(id)) ? groups.get() : groups.renew();
  const remember = (servers: readonly NovaServer[]): void => {
    for (const { id } of servers) seen.add(id);
    if (seen.size > atMost) seen = new Set(servers.map(({ id }) => id));
  };
  const among = async (servers: readonly NovaServer[]): Promise<KeptWithOthers> => {
    const listed = await listGroups(servers);
    remember(servers);
    return heldTogether(listed);
  };
  return {
    among,
    async amongAll(servers) {
      const listed = await listGroups(servers);
      seen = new Set(servers.map(({ id }) => id));
      atMost = seen.size + most;
      return heldTogether(listed);
    },
    async with(server) {
      const isHeld = (await among([server])).has(server.id);
      return isHeld ? heldTogether(await groups.renew()) : new Map();
    },
  };
};
