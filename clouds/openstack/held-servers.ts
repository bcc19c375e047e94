/** Which servers Nova holds together with others, by what it lists of groups as seldom as that may be. */
import { type HeldTogether, heldTogether } from './list-instances';
import type { NovaServer, NovaServerGroup } from './nova/answers';
import type { Recent } from './recent';

export interface HeldServers {
  /** Of these, listed just now. */
  readonly among: (servers: readonly NovaServer[]) => Promise<HeldTogether>;
  /** Of these, which are all that there are: others are forgotten. */
  readonly amongAll: (servers: readonly NovaServer[]) => Promise<HeldTogether>;
  /** Of one, as it is now: its group's other members may have gone lately. */
  with(server: NovaServer): Promise<HeldTogether>;
}

/** A process that only looks up single servers, such as the API's, never sees which ones are gone. */
const mostBesideAll = 10_000;

/**
 * A server is in a group from its beginning or never: groups are listed anew where one is seen for the first time.
 * Forgetting a server costs one listing.
 *
 * @param most how many servers are remembered beside those of the last `amongAll`
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
  const among = async (servers: readonly NovaServer[]): Promise<HeldTogether> => {
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
