/**
 * The `openstack` cloud: Nova (2.53 or later) behind Keystone v3. Nova's vocabulary stays in this folder: http/ makes
 * and repeats calls, nova/ is the API, hosts/ and moves/ interpret its answers. PostgreSQL keeps each request to Nova
 * with its claim (moves/move-log.ts), so any number of processes can share one cloud.
 */
import type { Database } from '../../prisma/database';
import type { CloudHost, CloudInstance } from '../../rules/planning/fleet/cloud-facts';
import { type CloudDriver, latelyMs } from '../cloud-driver';
import type { Exchange } from '../keystone/exchange';
import type { ServiceTokens } from '../keystone/service-tokens';
import { openStackActions } from './actions';
import { createWhatIsOn } from './content/what-is-on';
import { createHeldServers } from './held-servers';
import { createCapacities } from './hosts/capacity';
import { createWayCheck } from './hosts/check-way';
import { disableHost, enableHost } from './hosts/compute-service';
import { cellIsDown, computeBinary, hostsFrom, isOfDownCell } from './hosts/list-hosts';
import { groupFrom, instancesFrom } from './list-instances';
import { startMove } from './moves/begin-move';
import { findImmovable } from './moves/immovable';
import { watchLeftOvers } from './moves/left-over-moves';
import { newestMoveOf, wasTargetLeftToNova } from './moves/move-log';
import type { Mover } from './moves/mover';
import { isOnItsWay } from './moves/server-state';
import { abortMove, forceMove } from './moves/stop-move';
import { watchMove } from './moves/watch-move';
import type { NovaServer, NovaService } from './nova/answers';
import { connectNova, connectPlacement, type ServicePlaces } from './nova/connect';
import { createNovaApi } from './nova/nova-api';
import { createProjectNames } from './project-names';
import { createRecent } from './recent';
import { findMissingRights } from './rights/missing-rights';

export interface OpenStackOptions {
  readonly db: Database;
  readonly exchange: Exchange;
  /** Keystone's address; ends in /v3. */
  readonly authUrl: string;
  /** The ID of the service's own user. */
  readonly tokens: ServiceTokens;
  readonly places: ServicePlaces;
  /** The time for which a move is requested again while Nova finds no host. */
  readonly noHostSeconds: number;
  /** The largest number of moves in flight from or to a host; 0: no bound. */
  readonly movesPerHost: number;
  /** The number of items that one call for a list asks for. */
  readonly pageSize?: number;
}

export const createOpenStackCloud = (options: OpenStackOptions): CloudDriver => {
  const { db, exchange, authUrl, tokens, places, noHostSeconds, movesPerHost, pageSize } = options;
  const connection = { tokens, exchange, places };
  const nova = createNovaApi({ client: connectNova(connection), ...(pageSize !== undefined && { pageSize }) });
  // Read several times for every move, and changed by operators now and then.
  const services = createRecent({ read: () => nova.listServices(), keepMs: 10_000 });
  const servers = createRecent({ read: () => nova.listServers(), keepMs: latelyMs - 1_000 });
  const groups = createRecent({ read: () => nova.listServerGroups(), keepMs: 60_000 });
  const held = createHeldServers(groups);
  const placement = () => connectPlacement(connection);
  const capacities = createCapacities({ nova, placement });
  const rights = createRecent({ read: () => findMissingRights({ ...connection, authUrl }), keepMs: 5 * 60_000 });
  const mover: Mover = {
    db,
    nova,
    userId: async () => (await tokens.current()).userId,
    checkWay: createWayCheck(services, capacities),
    noHostSeconds,
    movesPerHost,
  };
  const hostsOf = async (all: readonly NovaService[]): Promise<CloudHost[]> => {
    const computes = all.filter(({ binary }) => binary === computeBinary).map(({ host }) => host);
    return [...hostsFrom(all, await capacities.sizes(computes))];
  };
  const instancesOf = async (seen: readonly NovaServer[], look = held.among): Promise<CloudInstance[]> => {
    const [together, immovable] = await Promise.all([look(seen), findImmovable(db)]);
    return seen.flatMap((server) => instancesFrom(server, { together, immovable }));
  };
  /** Nova leaves the servers of a cell that does not answer out of its lists, without a word. */
  const refuseUnknown = async (name: string): Promise<void> => {
    const isUnknown = (await services.get()).some((one) => one.host === name && isOfDownCell(one));
    if (isUnknown) throw new Error(`nobody knows what is on host ${name}, since ${cellIsDown}`);
  };
  return {
    name: 'openstack',
    actions: openStackActions,
    // Every observation costs Nova a request, and a live migration takes seconds to many minutes.
    pollPace: { leastMs: 2_000, mostMs: 8_000, shareOfElapsed: 1 / 3 },
    choosesTarget: async () => !(await wasTargetLeftToNova(db)),

    listHosts: async () => hostsOf(await services.renew()),
    listHostsLately: async () => hostsOf(await services.get()),
    async listInstances(host) {
      if (host === undefined) return instancesOf(await servers.renew(), held.amongAll);
      const seen = await nova.listServers(host);
      await refuseUnknown(host);
      return instancesOf(seen);
    },
    async listInstancesLately(host) {
      // The work on a host looks at it soon after the session has looked at the whole cloud.
      const seen = await (servers.kept() ?? nova.listServers(host));
      await refuseUnknown(host);
      return (await instancesOf(seen)).filter((instance) => instance.host === host);
    },
    whatIsOn: createWhatIsOn({
      ...{ nova, capacities, placement },
      findHost: async (name) => (await hostsOf(await services.get())).find((host) => host.name === name),
      listInstances: async (host) => instancesOf(await nova.listServers(host)),
    }),
    async findInstance(instanceId) {
      const seen = await nova.findServer(instanceId);
      if (seen === undefined) return undefined;
      const [together, immovable] = await Promise.all([held.with(seen.server), findImmovable(db)]);
      return instancesFrom(seen.server, { together, immovable })[0];
    },
    async listMoving() {
      return (await servers.renew()).filter(isOnItsWay).flatMap((server) => instancesFrom(server));
    },
    listGroups: async () => (await groups.get()).map(groupFrom),
    whyNot: () => undefined,

    disableHost: (host, reason) => disableHost(nova, host, reason).finally(() => services.forget()),
    enableHost: (host) => enableHost(nova, host).finally(() => services.forget()),

    startMove: (move) => startMove(mover, move),
    async observeMove({ claimId }) {
      const move = await newestMoveOf(db, claimId);
      return move === undefined ? { kind: 'unknown' } : watchMove(mover, move);
    },
    forceMove: (move) => forceMove(mover, move),
    abortMove: (move) => abortMove(mover, move),
    watchLeftOvers: () => watchLeftOvers(mover),

    projectNames: createProjectNames(options),
    async ping() {
      await nova.listServices('nova-compute');
    },
    missingRights: () => rights.get(),
  };
};
