/** Which servers Nova holds together with others, by what it lists of groups as seldom as that may be. */
import type { NovaServer, NovaServerGroup } from './nova/answers';
import { type HeldTogether, heldTogether } from './list-instances';
import type { Recent } from './recent';

export interface HeldServers {
  /** Of these, listed just now. */
  among(servers: readonly NovaServer[]): Promise<HeldTogether>;
  /** Of one, as it is now: its group's other members may have gone lately. */
  with(server: NovaServer): Promise<HeldTogether>;
}

/** A server is in a group from its beginning or never: groups are listed anew where one is seen for the first time. */
export const createHeldServers = (groups: Recent<readonly NovaServerGroup[]>): HeldServers => {
  const seen = new Set<string>();
  const among = async (servers: readonly NovaServer[]): Promise<HeldTogether> => {
    const isAnyNew = servers.some(({ id }) => !seen.has(id));
    const listed = await (isAnyNew ? groups.renew() : groups.get());
    for (const { id } of servers) seen.add(id);
    return heldTogether(listed);
  };
  return {
    among,
    async with(server) {
      const isHeld = (await among([server])).has(server.id);
      return isHeld ? heldTogether(await groups.renew()) : new Map();
    },
  };
};
