/** Lists of servers. */
import type { CallQuery, ServiceClient } from '../http/service-client';
import type { NovaServer } from './answers';
import { clockOf, type SeenServer } from './seen-server';
import { readServers, refuseUnread, type ServersAsRead } from './servers';

export interface ServerLists {
  /**
   * Servers of all projects. Those in a cell that does not answer are left out: the list of services tells which hosts
   * these are.
   * @throws Error when Nova hides the hosts of servers from this login (servers.ts)
   */
  listServers(): Promise<ServersAsRead>;
  /** Those on one host. @throws Error also when one of them cannot be read */
  listServersOn(host: string): Promise<readonly NovaServer[]>;
  /** Those that Nova is moving, live or cold, and that have not arrived. Those that cannot be read are left out. */
  listMovingServers(): Promise<readonly SeenServer[]>;
}

export const serverLists = (client: ServiceClient): ServerLists => {
  const get = (query: CallQuery) => client.call({ method: 'GET', path: '/servers/detail', query });
  return {
    listServers: () => readServers(async (query) => (await get(query)).body),
    async listServersOn(host) {
      const { servers, unread } = await readServers(async (query) => (await get({ host, ...query })).body);
      refuseUnread(unread, host);
      // Nova ignores a filter that policy does not allow, without a word.
      return servers.filter((server) => hostOf(server) === host);
    },
    async listMovingServers() {
      let at: Date | undefined;
      const { servers } = await readServers(async (query) => {
        const answer = await get({ ...query, status: ['MIGRATING', 'RESIZE'] });
        at ??= clockOf(answer, new Date());
        return answer.body;
      });
      const since = at ?? new Date();
      return servers.map((server) => ({ server, at: since }));
    },
  };
};

const hostOf = (server: NovaServer): string | null | undefined => server['OS-EXT-SRV-ATTR:host'];
