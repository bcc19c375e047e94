/**
 * The `simulated` cloud: a fleet in PostgreSQL with capacity, durations, failures and its own log of every move. It is
 * a real implementation: any number of processes share it, it survives all of them, and it refuses what a cloud would
 * refuse. Its limit: it has no scheduler, so it chooses no target.
 */
import { Prisma } from '@prisma/client';
import { gathered, joined } from '../../calls/joined';
import { createRecent, type Recent } from '../../calls/recent';
import type { Database, Transaction } from '../../prisma/database';
import { type CloudGroup, type CloudHost, type CloudInstance, togetherReason } from '../../rules/cloud/cloud-facts';
import { movesUnless } from '../../rules/cloud/departure';
import { nothingKnown } from '../../rules/cloud/host-findings';
import { keyOf } from '../../rules/cloud/id';
import type { HostLabels } from '../../rules/selectors/labels';
import { simulatedActions } from '../../rules/simulation/simulated-actions';
import {
  needsOf,
  offersOf,
  simulatedAmounts,
  type SimulatedNeeds,
  simulatedWhyNot,
} from '../../rules/simulation/simulated-classes';
import {
  type CloudDriver,
  CloudRefusal,
  type DriverLists,
  latelyMs,
  type MoveRequest,
  type MoveStatus,
} from '../cloud-driver';
import { abortMove, type CloudClock, forceMove, startMove } from './begin-move';
import { hostSizeOf, type Size, sizeOf } from './capacity';
import { changeCloud, settleMoves } from './change-cloud';
import { heldTogether } from './held-together';
import { contentOf, isSilent, silentReason } from './host-content';
import { type LoggedMove, loggedMoveStatus, newestMovesOf, runningInstances } from './move-log';
import { cannotMoveIn } from './states';

export interface SimulatedCloudOptions {
  readonly db: Database;
  /** Simulated seconds that pass per real second. */
  readonly speed: number;
}

const unknownHost = (host: string): CloudRefusal => new CloudRefusal(`Host ${host} could not be found.`);

/** @param name left out: all */
const listHosts = async ({ db, speed }: SimulatedCloudOptions, name?: string): Promise<CloudHost[]> => {
  const where = name === undefined ? {} : { name };
  const hosts = await db.simHost.findMany({ where, orderBy: { name: 'asc' } });
  return hosts.map((host) => ({
    name: host.name,
    type: host.type === 'controller' ? 'controller' : 'compute',
    isCompute: host.isCompute,
    amounts: simulatedAmounts(hostSizeOf(host)),
    devices: { ...sizeOf(host).amounts, ...Object.fromEntries(host.lacking.map((name) => [name, 0])) },
    ...(host.keepsAway.length > 0 && { keepsAway: host.keepsAway }),
    ...(host.labels.length > 0 && { offers: offersOf(host) }),
    labels: host.properties as HostLabels,
    enabled: !host.disabled,
    isUp: !host.isDown && !host.isSilent,
    maintenanceSeconds: host.maintenanceS / speed,
    ...(host.disabledReason !== null && { disabledReason: host.disabledReason }),
    ...(host.isSilent && { contentUnknown: silentReason(host.name) }),
  }));
};

/** Ends the moves that are due before a look. */
type Settle = () => Promise<void>;

interface InstanceRow extends Omit<CloudInstance, 'amounts' | 'needs' | 'departure'>, Size {
  readonly needs: string[];
  readonly refusedBy: string[];
  readonly ownGroupId: string | null;
  /** ID of the group with affinity that holds it; null: none does. */
  readonly groupId: string | null;
  readonly groupName: string | null;
  /** The part of the cloud that knows its host does not answer. */
  readonly isSilent: boolean;
}

const classOf = (given: SimulatedNeeds): Pick<CloudInstance, 'needs'> => {
  const needs = needsOf(given);
  return needs === '' ? {} : { needs };
};

const instancesWhere = async (db: Database, condition: Prisma.Sql): Promise<CloudInstance[]> =>
  (await rowsWhere(db, condition)).map(asInstance);

/** One query, since every decision begins with it. */
const rowsWhere = (db: Database, condition: Prisma.Sql): Promise<InstanceRow[]> =>
  db.$queryRaw<InstanceRow[]>`
    SELECT instance.instance_id AS "instanceId", instance_name AS "instanceName", project_id AS "projectId", host, flavor,
           vcpus, memory_mb AS "memoryMb", amounts, needs, refused_by AS "refusedBy",
           instance.group_id AS "ownGroupId", state, held.group_id AS "groupId", held.name AS "groupName",
           ${isOnSilentHost} AS "isSilent"
    FROM sim_instance AS instance LEFT JOIN (${heldTogether}) AS held USING (instance_key)
    WHERE ${condition} ORDER BY instance_key`;

const asInstance = ({ groupId, groupName, needs, refusedBy, ownGroupId, ...row }: InstanceRow): CloudInstance => {
  const { instanceId, instanceName, projectId, host, flavor, state } = row;
  const never = groupId === null ? undefined : togetherReason(groupName ?? groupId, groupId);
  return {
    instanceId,
    instanceName,
    projectId,
    host,
    flavor,
    state,
    amounts: simulatedAmounts(row),
    ...classOf({ needs, groupId: ownGroupId, refusedBy }),
    departure: movesUnless(never, cannotMoveIn(state)),
  };
};

const isOnSilentHost = Prisma.sql`host IN (SELECT name FROM sim_host WHERE is_silent)`;
const isListed = Prisma.sql`NOT 'list' = ANY (hidden_from) AND NOT ${isOnSilentHost}`;

const listInstances = async (db: Database, settle: Settle, host?: string): Promise<CloudInstance[]> => {
  await settle();
  if (host !== undefined && (await isSilent(db, host))) throw new Error(nothingKnown(host, silentReason(host)).because);
  return instancesWhere(db, host === undefined ? isListed : Prisma.sql`host = ${host} AND ${isListed}`);
};

const findInstance = async (db: Database, settle: Settle, instanceId: string): Promise<CloudInstance | undefined> => {
  await settle();
  const [found] = await rowsWhere(db, Prisma.sql`instance_key = ${keyOf(instanceId)}`);
  if (found === undefined) return undefined;
  if (found.isSilent) throw new Error(`nothing is known of instance ${instanceId}: ${silentReason(found.host)}`);
  return asInstance(found);
};

const listMoving = async (db: Database, settle: Settle): Promise<CloudInstance[]> => {
  const instances = await listInstances(db, settle);
  const moving = await runningInstances(db);
  return instances.filter(({ instanceId }) => moving.has(keyOf(instanceId)));
};

interface GroupRow {
  readonly group_id: string;
  readonly project_id: string;
  readonly name: string | null;
  readonly anti_affinity: boolean;
  readonly max_instances_per_host: number;
  readonly instance_ids: string[];
}

/** A group consists of the instances that name it. A group that the fleet file does not describe keeps nobody apart. */
const listGroups = async (db: Database): Promise<CloudGroup[]> => {
  const rows = await db.$queryRaw<GroupRow[]>`
    SELECT min(sim_instance.group_id) AS group_id, min(project_id) AS project_id, max(name) AS name,
           coalesce(bool_or(anti_affinity), false) AS anti_affinity,
           coalesce(max(max_instances_per_host), 1) AS max_instances_per_host,
           array_agg(instance_id ORDER BY instance_key) AS instance_ids
    FROM sim_instance LEFT JOIN sim_group USING (group_key)
    WHERE group_key IS NOT NULL GROUP BY group_key, project_key ORDER BY group_key, project_key`;
  return rows.map((row) => ({
    groupId: row.group_id,
    ...(row.name !== null && { groupName: row.name }),
    projectId: row.project_id,
    antiAffinity: row.anti_affinity,
    maxInstancesPerHost: row.max_instances_per_host,
    instanceIds: row.instance_ids,
  }));
};

/**
 * Returns a refusal instead of throwing it, so that the count of remaining refusals goes down in the same transaction.
 */
const disableHost = async (db: Database, name: string, reason: string): Promise<CloudRefusal | undefined> =>
  changeCloud(db, async (tx) => {
    const host = await tx.simHost.findUnique({ where: { name } });
    if (host === null) return unknownHost(name);
    if (host.disabled) return undefined;
    if (host.disableFailures > 0) {
      await tx.simHost.update({ where: { name }, data: { disableFailures: { decrement: 1 } } });
      return new CloudRefusal(`Host ${name} cannot be disabled: the simulated cloud was told to refuse it.`);
    }
    await tx.simHost.update({ where: { name }, data: { disabled: true, disabledReason: reason } });
    return undefined;
  });

const enableHost = async (db: Database, name: string): Promise<void> =>
  changeCloud(db, async (tx) => {
    const enabled = await tx.simHost.updateMany({ where: { name }, data: { disabled: false, disabledReason: null } });
    if (enabled.count === 0) throw unknownHost(name);
  });

/**
 * Many callers observe moves at the same time: one look at the moves that are due, one turn at the cloud's lock, and
 * one look at the moves serve all of them.
 */
export const createSimulatedCloud = ({ db, speed }: SimulatedCloudOptions): CloudDriver =>
  simulatedCloud(
    { db, speed },
    {
      settle: joined(() => settleMoves(db)),
      findMove: gathered((claimIds) => newestMovesOf(db, claimIds)),
      start: gathered((moves) => startAll({ db, speed }, moves)),
      lists: {
        hosts: joined(() => listHosts({ db, speed })),
        host: async (name) => (await listHosts({ db, speed }, name))[0],
        groups: joined(() => listGroups(db)),
        recentGroups: createRecent({ read: () => listGroups(db), keepMs: latelyMs }),
      },
    },
  );

interface SharedLooks {
  readonly settle: Settle;
  readonly findMove: (claimId: string) => Promise<LoggedMove | undefined>;
  readonly start: (move: MoveRequest) => Promise<StartAnswer | undefined>;
  readonly lists: {
    readonly hosts: () => Promise<CloudHost[]>;
    readonly host: (name: string) => Promise<CloudHost | undefined>;
    readonly groups: () => Promise<CloudGroup[]>;
    readonly recentGroups: Recent<CloudGroup[]>;
  };
}

type StartAnswer = { readonly status: MoveStatus } | { readonly refusal: CloudRefusal };

/** No transaction becomes long, however many moves begin at the same time. */
const startedAtOnce = 20;

/** A refused move has changed nothing, so moves that begin together need one turn at the cloud's lock. */
const startAll = async (
  { db, speed }: SimulatedCloudOptions,
  moves: readonly MoveRequest[],
): Promise<ReadonlyMap<MoveRequest, StartAnswer>> => {
  const started = new Map<MoveRequest, StartAnswer>();
  for (let at = 0; at < moves.length; at += startedAtOnce) {
    await changeCloud(db, async (tx, now) => {
      for (const move of moves.slice(at, at + startedAtOnce))
        started.set(move, await startOne(tx, move, { now, speed }));
    });
  }
  return started;
};

const startOne = async (tx: Transaction, move: MoveRequest, clock: CloudClock): Promise<StartAnswer> => {
  try {
    return { status: await startMove(tx, move, clock) };
  } catch (error) {
    if (error instanceof CloudRefusal) return { refusal: error };
    throw error;
  }
};

const listsOf = (db: Database, settle: SharedLooks['settle'], lists: SharedLooks['lists']): DriverLists => ({
  listHosts: () => lists.hosts(),
  listHostsLately: () => lists.hosts(),
  findHost: (name) => lists.host(name),
  listInstances: (host) => listInstances(db, settle, host),
  listInstancesLately: (host) => listInstances(db, settle, host),
  whatIsOn: (host) => contentOf(db, host, () => listInstances(db, settle, host)),
  findInstance: (instanceId) => findInstance(db, settle, instanceId),
  listMoving: () => listMoving(db, settle),
  listGroups: () => lists.groups(),
  listGroupsLately: () => lists.recentGroups.get(),
});

/** They are for people alone: an answer without them is better than none. */
const namesOfProjects = async (db: Database, ids: readonly string[]): Promise<ReadonlyMap<string, string>> => {
  const where = { projectKey: { in: [...new Set(ids.map(keyOf))] } };
  const named = await db.simProject.findMany({ where }).catch(() => []);
  const names = new Map(named.map(({ projectKey, name }) => [projectKey, name]));
  return new Map(
    ids.flatMap((id) => {
      const name = names.get(keyOf(id));
      return name === undefined ? [] : [[id, name] as const];
    }),
  );
};

const simulatedCloud = (
  { db, speed }: SimulatedCloudOptions,
  { settle, findMove, start, lists }: SharedLooks,
): CloudDriver => ({
  name: 'simulated',
  actions: simulatedActions,
  choosesTarget: () => Promise.resolve(true),
  pollPace: { leastMs: 100, mostMs: 1_000, shareOfElapsed: 1 / 20 },

  ...listsOf(db, settle, lists),
  whyNot: simulatedWhyNot,

  async disableHost(host, reason) {
    const refusal = await disableHost(db, host, reason);
    if (refusal !== undefined) throw refusal;
  },
  enableHost: (host) => enableHost(db, host),

  async startMove(move) {
    const started = await start(move);
    if (started === undefined) throw new Error(`the move of claim ${move.claimId} was not begun`);
    if ('refusal' in started) throw started.refusal;
    return started.status;
  },
  forceMove: (move) => changeCloud(db, (tx, now) => forceMove(tx, move, { now, speed })),
  abortMove: (move) => changeCloud(db, (tx, now) => abortMove(tx, move.claimId, now)),
  async observeMove(move) {
    await settle();
    const newest = await findMove(move.claimId);
    return newest === undefined ? { kind: 'unknown' } : loggedMoveStatus(newest);
  },

  async maintenanceSeconds(host) {
    const known = await db.simHost.findUnique({ where: { name: host } });
    return known === null ? undefined : known.maintenanceS / speed;
  },
  missingRights: () => Promise.resolve([]),
  projectNames: (projectIds) => namesOfProjects(db, projectIds),
  async ping() {
    await db.$executeRaw`SELECT 1`;
  },
});
