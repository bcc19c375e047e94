/**
 * The `openstack` cloud: Nova (2.53 or later) behind Keystone v3. Nova's vocabulary stays in this folder: http/ makes
 * and repeats calls, nova/ is the API, hosts/ and moves/ interpret its answers. PostgreSQL keeps each request to Nova
 * with its claim (moves/move-log.ts), so any number of processes can share one cloud.
 */
import { createRecent } from '../../calls/recent';
import type { Database } from '../../prisma/database';
import type { CloudHost, CloudInstance } from '../../rules/cloud/cloud-facts';
import { type CloudDriver, type DriverLists, latelyMs } from '../cloud-driver';
import type { Exchange } from '../http/exchange';
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
import { createNotOffered } from './hosts/not-offered';
import { type AboutServers, groupFrom, instancesFrom } from './list-instances';
import { startMove } from './moves/begin-move';
import { findImmovable } from './moves/immovable';
import { createKeptProgress } from './moves/kept-progress';
import { watchLeftOvers } from './moves/left-over-moves';
import { createLookAtMoving } from './moves/look-at-moving';
import { findMayHaveLeft, findMovedServers, newestMoveOf, wasTargetLeftToNova } from './moves/move-log';
import type { Mover } from './moves/mover';
import { isOnItsWay } from './moves/server-state';
import { abortMove, forceMove } from './moves/stop-move';
import { watchMove } from './moves/watch-move';
import type { NovaServer, NovaService } from './nova/answers';
import { connectNova, connectPlacement, type ServicePlaces } from './nova/connect';
import { createNovaApi } from './nova/nova-api';
import { createPlacementApi } from './nova/placement-api';
import { refuseUnread, whyUnread } from './nova/servers';
import { createProjectNames } from './project-names';
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
}

export const createOpenStackCloud = (options: OpenStackOptions): CloudDriver => {
  const sources = sourcesOf(options);
  const { db, nova, rights, look, search, serverOf } = sources;
  const { noHostSeconds } = options;
  return {
    name: 'openstack',
    actions: openStackActions,
    // Every observation costs Nova a request, and a live migration takes seconds to many minutes.
    pollPace: { leastMs: 2_000, mostMs: 8_000, shareOfElapsed: 1 / 3 },
    choosesTarget: async () => !(await wasTargetLeftToNova(db)),
    ...listsOf(sources),
    whyNot,
    notOffered: createNotOffered({ look, search, serverOf, noHostSeconds }),

    disableHost: (host, reason) => disableHost(sources, host, reason),
    enableHost: (host) => enableHost(sources, host),
    ...movesOf(moverOf(options, sources)),

    projectNames: createProjectNames(options),
    async ping() {
      await nova.listServices({ binary: computeBinary });
    },
    missingRights: () => rights.get(),
  };
};

type Sources = ReturnType<typeof sourcesOf>;

const sourcesOf = ({ db, exchange, authUrl, tokens, places, keepsZones }: OpenStackOptions) => {
  const connection = { tokens, exchange, places };
  const nova = createNovaApi(connectNova(connection));
  const groups = createRecent({ read: () => nova.listServerGroups(), keepMs: 60_000 });
  const recentGroups = createRecent({ read: async () => (await groups.get()).map(groupFrom), keepMs: latelyMs });
  const connected = createRecent({ read: () => connectPlacement(connection), keepMs: 10 * 60_000 });
  const placement = createPlacementApi({ connect: () => connected.get() });
  const capacities = createCapacities({ nova, placement });
  const look = createLookAtFleet({ nova, capacities, keepsZones });
  const search = createCandidateSearch(placement);
  const madeFrom = new WeakMap<CloudInstance, NovaServer>();
  return {
    db,
    nova,
    // Read several times for every move, and changed by operators now and then.
    services: createRecent({ read: () => nova.listServices(), keepMs: 10_000 }),
    servers: createRecent({ read: () => nova.listServers(), keepMs: latelyMs - 1_000 }),
    groups,
    recentGroups,
    held: createHeldServers(groups),
    connected,
    capacities,
    look,
    search,
    checkRoom: createRoomCheck({ look, capacities, search }),
    serverOf: (instance: CloudInstance) => madeFrom.get(instance),
    /** The instance of the server, where it is on a host. */
    instanceOf(server: NovaServer, about: AboutServers): CloudInstance[] {
      const instances = instancesFrom(server, about);
      for (const instance of instances) madeFrom.set(instance, server);
      return instances;
    },
    rights: createRecent({ read: () => findMissingRights({ ...connection, authUrl }), keepMs: 5 * 60_000 }),
  };
};

const moverOf = (
  { tokens, noHostSeconds, movesPerHost }: OpenStackOptions,
  { db, nova, services, checkRoom }: Sources,
): Mover => ({
  db,
  nova,
  lookAtMoving: createLookAtMoving(nova),
  progress: createKeptProgress(),
  userId: async () => (await tokens.current()).userId,
  checkWay: createWayCheck(services, checkRoom),
  noHostSeconds,
  movesPerHost,
});

const listsOf = (sources: Sources): DriverLists => {
  const { nova, capacities, services, servers, groups, recentGroups, held, connected } = sources;
  return {
    listHosts: async () => withUnread(sources, await hostsOf(sources, await services.renew())),
    listHostsLately: async () => withUnread(sources, await hostsOf(sources, await services.get())),
    findHost: async (host) => (await withUnread(sources, await hostsOf(sources, await nova.listServices({ host }))))[0],
    async listInstances(host) {
      if (host === undefined) return instancesOf(sources, (await servers.renew()).servers, held.amongAll);
      const seen = await nova.listServersOn(host);
      await refuseUnknown(sources, host);
      return instancesOf(sources, seen);
    },
    async listInstancesLately(host) {
      const seen = await listServersLately(sources, host);
      await refuseUnknown(sources, host);
      return (await instancesOf(sources, seen)).filter((instance) => instance.host === host);
    },
    whatIsOn: createWhatIsOn({
      nova,
      capacities,
      placement: () => connected.get(),
      findHost: async (name) => (await hostsOf(sources, await services.get())).find((host) => host.name === name),
      listInstances: async (host) => instancesOf(sources, await nova.listServersOn(host)),
    }),
    async findInstance(instanceId) {
      const seen = await nova.findServer(instanceId);
      if (seen === undefined) return undefined;
      const [together, about] = await Promise.all([held.with(seen.server), aboutAll(sources)]);
      return instancesFrom(seen.server, { ...about, together })[0];
    },
    async listMoving() {
      const moving = (await servers.renew()).servers.filter(isOnItsWay);
      const about = await aboutAll(sources);
      return moving.flatMap((server) => instancesFrom(server, about));
    },
    listGroups: async () => (await groups.get()).map(groupFrom),
    listGroupsLately: () => recentGroups.get(),
  };
};

const hostsOf = async ({ look }: Sources, all: readonly NovaService[]): Promise<CloudHost[]> => {
  const computes = all.filter(({ binary }) => binary === computeBinary).map(({ host }) => host);
  return [...hostsFrom(all, await look(computes))];
};

/** Answers by the last list of all servers, or the one that is just read: it costs no request of its own. */
const withUnread = async ({ servers }: Sources, hosts: readonly CloudHost[]): Promise<CloudHost[]> => {
  const unread = (await servers.last()?.catch(() => undefined))?.unread ?? [];
  return hosts.map((host) => {
    const why = host.isCompute ? whyUnread(unread, host.name) : undefined;
    return why === undefined ? host : { contentUnknown: why, ...host };
  });
};

/** The work on a host looks at it soon after the session has looked at the whole cloud. */
const listServersLately = async ({ nova, servers }: Sources, host: string): Promise<readonly NovaServer[]> => {
  const kept = await servers.kept();
  if (kept === undefined) return nova.listServersOn(host);
  refuseUnread(kept.unread, host);
  return kept.servers;
};

const aboutAll = async ({ db, look }: Sources): Promise<AboutServers> => {
  const [seen, immovable, ours, left] = await Promise.all([
    look(),
    findImmovable(db),
    findMovedServers(db),
    findMayHaveLeft(db),
  ]);
  return { look: seen, immovable, ours, left };
};

const instancesOf = async (
  sources: Sources,
  seen: readonly NovaServer[],
  findHeld = sources.held.among,
): Promise<CloudInstance[]> => {
  const isAnyLocked = seen.some(({ locked }) => locked === true);
  const [together, about, isNoAdmin] = await Promise.all([
    findHeld(seen),
    aboutAll(sources),
    isAnyLocked ? lacksAdmin(sources) : false,
  ]);
  return seen.flatMap((server) => sources.instanceOf(server, { ...about, together, isNoAdmin }));
};

/** Where that cannot be tried now, the move of a locked server tells. */
const lacksAdmin = async ({ rights }: Sources): Promise<boolean> => {
  const missing = await rights.get().catch(() => []);
  return missing.some(({ rule }) => rule === 'context_is_admin');
};

/** Nova leaves the servers of a cell that does not answer out of its lists, without a word. */
const refuseUnknown = async ({ services }: Sources, name: string): Promise<void> => {
  const isUnknown = (await services.get()).some((one) => one.host === name && isOfDownCell(one));
  if (isUnknown) throw new Error(`nobody knows what is on host ${name}, since ${cellIsDown}`);
};

type Moves = Pick<CloudDriver, 'startMove' | 'observeMove' | 'forceMove' | 'abortMove' | 'watchLeftOvers'>;

const movesOf = (mover: Mover): Moves => ({
  startMove: (move) => startMove(mover, move),
  async observeMove({ claimId }) {
    const move = await newestMoveOf(mover.db, claimId);
    return move === undefined ? { kind: 'unknown' } : watchMove(mover, move);
  },
  forceMove: (move) => forceMove(mover, move),
  abortMove: (move) => abortMove(mover, move),
  watchLeftOvers: () => watchLeftOvers(mover),
});
