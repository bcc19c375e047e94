/** Explains why a host is held for somebody whom Nova does not list there, in words for whoever can put it right. */
import type { HostDoubt } from '../../../rules/cloud/host-findings';
import { hostOfServer, namedServer } from '../moves/server-state';
import type { NovaServer, PlacedMigration } from '../nova/answers';
import type { NovaApi } from '../nova/nova-api';
import { aboutMigration, comesTo, isOver, leftByEvacuation, mayBeComing, stillLeaving } from './unfinished-moves';

/** Somebody for whom nobody will give the amounts back. */
const leftOver = (host: string, instanceId: string, consumer: string): HostDoubt => ({
  instanceId,
  owner: 'operator',
  because: `placement books amounts on host ${host} for ${consumer}`,
  help: 'see what is left over with "nova-manage placement audit --verbose", and delete it there',
});

const whereIs = (server: NovaServer): string => `which Nova places on ${hostOfServer(server) ?? 'no host'}`;

/** A consumer that is a server. */
const ofServer = async ({ host, migrations }: Booked, server: NovaServer): Promise<HostDoubt> => {
  if (server.status === 'SOFT_DELETED') {
    return {
      instanceId: server.id,
      owner: 'operator',
      because: `${namedServer(server)} is deleted softly: lists hide it, and its disk is still on host ${host}`,
      help: 'restore it and let it be moved, or delete it for good (openstack server delete --force)',
    };
  }
  if (hostOfServer(server) === host || mayBeComing(server)) return comesTo(host, server);
  const evacuated = leftByEvacuation(host, server, await migrations());
  return evacuated ?? leftOver(host, server.id, `${namedServer(server)}, ${whereIs(server)}`);
};

/** A consumer that is a migration: it holds the amounts on the host that the server leaves. */
const ofMigration = ({ host }: Booked, migration: PlacedMigration, server: NovaServer): HostDoubt => {
  const known = aboutMigration(host, { ...migration, source_compute: host }, server);
  if (known !== undefined) return known;
  if (!isOver(migration)) return stillLeaving(host, server);
  return leftOver(host, server.id, `a migration (${migration.status}) of ${namedServer(server)}, ${whereIs(server)}`);
};

interface Booked {
  readonly host: string;
  readonly consumerId: string;
  /** Migrations from and to the host, of all times. Read for the first consumer that they may explain. */
  readonly migrations: () => Promise<readonly PlacedMigration[]>;
}

export const explainBooking = async (nova: NovaApi, booked: Booked): Promise<HostDoubt> => {
  const { host, consumerId } = booked;
  const server = (await nova.findServer(consumerId))?.server;
  if (server !== undefined) return ofServer(booked, server);
  const migration = (await booked.migrations()).find(({ uuid }) => uuid === consumerId);
  const moved = migration && (await nova.findServer(migration.instance_uuid))?.server;
  if (migration === undefined || moved === undefined)
    return leftOver(host, consumerId, `${consumerId}, which Nova does not know`);
  return ofMigration(booked, migration, moved);
};
