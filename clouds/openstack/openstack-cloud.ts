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
import { createLookAtFleet } from './classes/look-at-fleet';
import { whyNot } from './classes/why-not';
import { createWhatIsOn } from './content/what-is-on';
import { createHeldServers } from './held-servers';
import { createCandidateSearch } from './hosts/candidates';
import { createCapacities } from './hosts/capacity';
import { createRoomCheck } from './hosts/check-room';
import { createWayCheck } from './hosts/check-way';
import { disableHost, enableHost } from './hosts/compute-service';
import { cellIsDown, computeBinary, hostsFrom, isOfDownCell } from './hosts/list-hosts';
import { type AboutServers, groupFrom, instancesFrom } from './list-instances';
import { startMove } from './moves/begin-move';
import { findImmovable } from './moves/immovable';
import { watchLeftOvers } from './moves/left-over-moves';
import { findMovedServers, newestMoveOf, wasTargetLeftToNova } from './moves/move-log';
import type { Mover } from './moves/mover';
import { isOnItsWay } from './moves/server-state';
import { abortMove, forceMove } from './moves/stop-move';
import { watchMove } from './moves/watch-move';
import type { NovaServer, NovaService } from './nova/answers';
import { connectNova, connectPlacement, type ServicePlaces } from './nova/connect';
import { newestOfServers } from './nova/negotiate-version';
import { createNovaApi } from './nova/nova-api';
import { createPlacementApi } from './nova/placement-api';
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
  /** See NeedsSources. */
  readonly keepsZones: boolean;
  /** The number of items that one call for a list asks for. */
  readonly pageSize?: number;
}

export const createOpenStackCloud = (options: OpenStackOptions): CloudDriver => {
  const { db, exchange, authUrl, tokens, places, noHostSeconds, movesPerHost, keepsZones, pageSize } = options;
  const connection = { tokens, exchange, places };
  const clients = { client: connectNova(connection), servers: connectNova(connection, newestOfServers) };
  const nova = createNovaApi({ ...clients, ...(pageSize !== undefined && { pageSize }) });
  // Read several times for every move, and changed by operators now and then.
  const services = createRecent({ read: () => nova.listServices(), keepMs: 10_000 });
  const servers = createRecent({ read: () => nova.listServers(), keepMs: latelyMs - 1_000 });
  const groups = createRecent({ read: () => nova.listServerGroups(), keepMs: 60_000 });
  const held = createHeldServers(groups);
  const connected = createRecent({ read: () => connectPlacement(connection), keepMs: 10 * 60_000 });
  const placement = createPlacementApi({ connect: () => connected.get() });
  const capacities = createCapacities({ nova, placement });
  const look = createLookAtFleet({ nova, capacities, keepsZones });
  const checkRoom = createRoomCheck({ look, capacities, search: createCandidateSearch(placement) });
  const rights = createRecent({ read: () => findMissingRights({ ...connection, authUrl }), keepMs: 5 * 60_000 });
  const mover: Mover = {
    db,
    nova,
    userId: async () => (await tokens.current()).userId,
    checkWay: createWayCheck(services, checkRoom),
    noHostSeconds,
    movesPerHost,
  };
  const hostsOf = async (all: readonly NovaService[]): Promise<CloudHost[]> => {
    const computes = all.filter(({ binary }) => binary === computeBinary).map(({ host }) => host);
    return [...hostsFrom(all, await look(computes))];
  };
  const aboutAll = async (): Promise<AboutServers> => {
    const [seen, immovable, ours] = await Promise.all([look(), findImmovable(db), findMovedServers(db)]);
    return { look: seen, immovable, ours };
  };
  const instancesOf = async (seen: readonly NovaServer[], findHeld = held.among): Promise<CloudInstance[]> => {
    const [together, about] = await Promise.all([findHeld(seen), aboutAll()]);
    return seen.flatMap((server) => instancesFrom(server, { ...about, together }));
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
      ...{ nova, capacities, placement: () => connected.get() },
      findHost: async (name) => (await hostsOf(await services.get())).find((host) => host.name === name),
      listInstances: async (host) => instancesOf(await nova.listServers(host)),
    }),
    async findInstance(instanceId) {
      const seen = await nova.findServer(instanceId);
      if (seen === undefined) return undefined;
      const [together, about] = await Promise.all([held.with(seen.server), aboutAll()]);
      return instancesFrom(seen.server, { ...about, together })[0];
    },
    async listMoving() {
      const moving = (await servers.renew()).filter(isOnItsWay);
      const about = await aboutAll();
      return moving.flatMap((server) => instancesFrom(server, about));
    },
    listGroups: async () => (await groups.get()).map(groupFrom),
    whyNot,

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
