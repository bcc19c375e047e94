/**
 * Moves of a host that are not over: what Nova's records of migrations say, with the server as it is now. A record may
 * be left over, so it counts only while its server still shows the move.
 */
import type { HostDoubt } from '../../../rules/cloud/host-findings';
import { hostOfServer, isBusy, isOnItsWay, namedServer } from '../moves/server-state';
import type { NovaServer, PlacedMigration } from '../nova/answers';
import type { NovaApi } from '../nova/nova-api';

/**
 * What Nova writes when a migration is over. All other words are of one that is not: accepted, queued, preparing,
 * pre-migrating, running, migrating, post-migrating, finished (it waits for its confirmation), confirming, reverting.
 */
const over: ReadonlySet<string> = new Set([
  'completed',
  'done',
  'confirmed',
  'reverted',
  'error',
  'failed',
  'cancelled',
]);

export const isOver = ({ status }: Pick<PlacedMigration, 'status'>): boolean => over.has(status);

const awaitingConfirmation: ReadonlySet<string> = new Set(['finished', 'confirming']);

/** The server runs elsewhere then; what it left is removed when nova-compute starts again. */
const isLeftByEvacuation = ({ migration_type: kind, status }: PlacedMigration): boolean =>
  kind === 'evacuation' && status === 'done';

/** The way back of a server that was resized, or migrated cold, away from the host. */
export const wayBackTo = (host: string, server: NovaServer): HostDoubt => ({
  instanceId: server.id,
  owner: 'project',
  projectId: server.tenant_id,
  because:
    `${namedServer(server)} was resized or migrated from host ${host} to host ${hostOfServer(server) ?? 'another'}, ` +
    'and its disk for the way back is still there',
  help: 'its owner confirms or reverts it (openstack server resize confirm, or revert)',
});

const passing = (server: NovaServer, because: string): HostDoubt => ({
  instanceId: server.id,
  owner: 'operator',
  because,
  help: 'nothing has to be done: the host is looked at again when that is over',
});

export const comesTo = (host: string, server: NovaServer): HostDoubt =>
  passing(server, `${namedServer(server)} (${server.status}) came to host ${host} lately or is on its way to it`);

/** True when the server may be on its way to a host on which it is not listed. */
export const mayBeComing = (server: NovaServer): boolean =>
  isBusy(server) || isOnItsWay(server) || server.status === 'BUILD';

const evacuatedFrom = (host: string, server: NovaServer): HostDoubt => ({
  instanceId: server.id,
  owner: 'operator',
  because: `${namedServer(server)} was evacuated from host ${host}, and what it left there was not removed yet`,
  help: `start nova-compute on host ${host}, which removes it`,
});

/**
 * What the record of a migration means for a host on which its server is not listed.
 * @returns undefined when it means nothing any more
 */
export const aboutMigration = (host: string, migration: PlacedMigration, server: NovaServer): HostDoubt | undefined => {
  const comes = (migration.source_compute ?? host) !== host;
  if (isLeftByEvacuation(migration)) return comes ? undefined : evacuatedFrom(host, server);
  if (comes) return mayBeComing(server) ? comesTo(host, server) : undefined;
  const { status } = server;
  if (status === 'REVERT_RESIZE') return passing(server, `${namedServer(server)} is on its way back to host ${host}`);
  if (status === 'VERIFY_RESIZE' && awaitingConfirmation.has(migration.status)) return wayBackTo(host, server);
  return isBusy(server) ? stillLeaving(host, server) : undefined;
};

export const stillLeaving = (host: string, server: NovaServer): HostDoubt =>
  passing(server, `the move of ${namedServer(server)} away from host ${host} is not finished`);

/** Reads all records of migrations from and to the host: what is coming, leaving, or may come back. */
export const findUnfinishedMoves = async (nova: NovaApi, host: string): Promise<readonly HostDoubt[]> => {
  const all = await nova.listMigrationsOf(host);
  return explained(
    nova,
    host,
    all.filter((one) => !isOver(one) || isLeftByEvacuation(one)),
  );
};

/** Only what may come back, for whoever sees in placement what is coming and leaving. */
export const findWaysBack = async (nova: NovaApi, host: string): Promise<readonly HostDoubt[]> =>
  explained(nova, host, await nova.listFinishedMigrationsFrom(host));

/** One doubt about each server. */
const explained = async (
  nova: NovaApi,
  host: string,
  migrations: readonly PlacedMigration[],
): Promise<readonly HostDoubt[]> => {
  const byServer = Map.groupBy(migrations, ({ instance_uuid: id }) => id);
  const doubts = await Promise.all(
    [...byServer].map(async ([id, records]) => {
      const server = (await nova.findServer(id))?.server;
      return server && records.flatMap((record) => aboutMigration(host, record, server) ?? [])[0];
    }),
  );
  return doubts.filter((doubt) => doubt !== undefined);
};

/** Undefined: the server was not evacuated from the host, or nova-compute has started there since. */
export const leftByEvacuation = (
  host: string,
  server: NovaServer,
  migrations: readonly PlacedMigration[],
): HostDoubt | undefined => {
  const ofServer = migrations.filter((one) => one.instance_uuid === server.id && one.source_compute === host);
  return ofServer.some(isLeftByEvacuation) ? evacuatedFrom(host, server) : undefined;
};
