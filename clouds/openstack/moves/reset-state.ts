/**
 * Resets the state of a server that Nova has set to ERROR although it runs on its source, as an operator would: Nova
 * refuses a move late (two members of an anti-affinity group chose one host), or has rolled a live migration back.
 */
import { BlockedRefusal } from '../../cloud-driver';
import { ServiceError } from '../http/service-error';
import type { NovaServer } from '../nova/answers';
import { resetStateRight } from '../rights/table';
import type { Mover } from './mover';
import { namedServer } from './server-state';

/** @throws BlockedRefusal that names the right to do it, when the service lacks that one */
export const resetState = async ({ nova }: Pick<Mover, 'nova'>, server: NovaServer): Promise<void> => {
  try {
    await nova.act(server.id, { 'os-resetState': { state: 'active' } });
  } catch (error) {
    throw error instanceof ServiceError && error.status === 403 ? rightIsLacking(server, error) : error;
  }
};

/** No call tries this right beforehand (rights/table.ts). */
const rightIsLacking = (server: NovaServer, cause: ServiceError): BlockedRefusal =>
  new BlockedRefusal(
    `Cannot move ${namedServer(server)}, which runs although Nova has set it to ERROR: ${cause.reason} ` +
      `Allow ${resetStateRight} to the role of the service, or reset its state (openstack server set --state active).`,
    { cause },
  );
