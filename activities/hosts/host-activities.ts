/** The work on one host: the activities that its workflow calls. */
import type { HostRef } from '../../prisma/hosts/session-hosts';
import type { Services } from '../services';
import { failHost, type HostFailure } from './fail-host';
import { type HostOrders, tendHost } from './host-orders';
import { disableForWork } from './host-switch';
import { listPlugins, type PluginsOfHost } from './list-plugins';
import { beginMaintenance, finishMaintenance, giveBackHost } from './maintain-host';

export const createHostActivities = (services: Services) => ({
  disableHost: (ref: HostRef): Promise<void> => disableForWork(services, ref),
  tendHost: (ref: HostRef): Promise<HostOrders> => tendHost(services, ref),
  beginMaintenance: (ref: HostRef): Promise<boolean> => beginMaintenance(services, ref),
  listPlugins: (wanted: PluginsOfHost): Promise<number[]> => listPlugins(services, wanted),
  finishMaintenance: (ref: HostRef): Promise<'notYet' | undefined> => finishMaintenance(services, ref),
  giveBackHost: (ref: HostRef): Promise<void> => giveBackHost(services, ref),
  failHost: (failed: HostFailure): Promise<void> => failHost(services, failed),
});

export type HostActivities = ReturnType<typeof createHostActivities>;
