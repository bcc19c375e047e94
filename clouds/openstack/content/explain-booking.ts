/** Explains why a host is held for somebody whom Nova does not list there, in words for whoever can put it right. */
import type { HostDoubt } from '../../../rules/planning/fleet/host-findings';
import { hostOfServer, isOnItsWay, namedServer } from '../moves/server-state';
import type { NovaServer, PlacedMigration } from '../nova/answers';
import type { NovaApi } from '../nova/nova-api';

const audit = 'see what is left over with "nova-manage placement audit --verbose", and delete it there';

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

/** A consumer that is a server. */
const ofServer = (host: string, server: NovaServer): HostDoubt => {
  const { id: instanceId, status } = server;
  const isOn = hostOfServer(server);
  const about = { instanceId, owner: 'operator' } as const;
  if (status === 'SOFT_DELETED') {
    return {
      ...about,
      because: `${namedServer(server)} is deleted softly: lists hide it, and its disk is still on host ${host}`,
      help: 'restore it and let it be moved, or delete it for good (openstack server delete --force)',
    };
  }
  if (isOn === host || isOnItsWay(server)) {
    return {
      ...about,
      because: `${namedServer(server)} (${status}) came to host ${host} lately or is on its way to it`,
      help: 'nothing has to be done: the host is looked at again when it is there',
    };
  }
  return {
    ...about,
    because: `placement books amounts on host ${host} for ${namedServer(server)}, which Nova places on ${isOn ?? 'no host'}`,
    help: audit,
  };
};

const unknownConsumer = (host: string, consumerId: string): HostDoubt => ({
  instanceId: consumerId,
  owner: 'operator',
  because: `placement books amounts on host ${host} for ${consumerId}, which Nova does not know`,
  help: audit,
});

const stillLeaving = (host: string, server: NovaServer): HostDoubt => ({
  instanceId: server.id,
  owner: 'operator',
  because: `the move of ${namedServer(server)} away from host ${host} is not finished`,
  help: 'nothing has to be done: the host is looked at again when it is',
});

interface Booked {
  readonly host: string;
  readonly consumerId: string;
  /** Migrations from and to the host, of all times. Read for the first consumer that is no server. */
  readonly migrations: () => Promise<readonly PlacedMigration[]>;
}

export const explainBooking = async (nova: NovaApi, { host, consumerId, migrations }: Booked): Promise<HostDoubt> => {
  const server = (await nova.findServer(consumerId))?.server;
  if (server !== undefined) return ofServer(host, server);
  const migration = (await migrations()).find(({ uuid }) => uuid === consumerId);
  const moved = migration && (await nova.findServer(migration.instance_uuid))?.server;
  if (moved === undefined) return unknownConsumer(host, consumerId);
  return moved.status === 'VERIFY_RESIZE' ? wayBackTo(host, moved) : stillLeaving(host, moved);
};
