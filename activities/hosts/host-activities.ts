/** The work on one host: the activities that its workflow calls. */
import type { HostRef } from '../../prisma/hosts/session-hosts';
import type { Services } from '../services';
import { attendHost, type RemainingOrders } from './attend-host';
import { failHost, type HostFailure } from './fail-host';
import { disableForWork } from './host-switch';
import { listPlugins, type PluginsOfHost } from './list-plugins';
import { beginMaintenance, finishMaintenance, giveBackHost } from './maintain-host';

/** The work on a host while it is drained, which may take hours. */
export const createDrainActivities = (services: Services) => ({
  attendHost: (ref: HostRef): Promise<RemainingOrders> => attendHost(services, ref),
});

export type DrainActivities = ReturnType<typeof createDrainActivities>;

export const createHostActivities = (services: Services) => ({
  disableHost: (ref: HostRef): Promise<void> => thenWake(services, ref, () => disableForWork(services, ref)),
  beginMaintenance: (ref: HostRef): Promise<boolean> => thenWake(services, ref, () => beginMaintenance(services, ref)),
  listPlugins: (wanted: PluginsOfHost): Promise<number[]> => listPlugins(services, wanted),
  finishMaintenance: (ref: HostRef): Promise<'notYet' | undefined> =>
    thenWake(services, ref, () => finishMaintenance(services, ref)),
  giveBackHost: (ref: HostRef): Promise<void> => thenWake(services, ref, () => giveBackHost(services, ref)),
  failHost: (failed: HostFailure): Promise<void> => thenWake(services, failed, () => failHost(services, failed)),
});

/** Wakes the session when the step has succeeded: its next decision depends on it. */
const thenWake = async <T>(
  { workflowCalls }: Pick<Services, 'workflowCalls'>,
  { sessionId }: HostRef,
  step: () => Promise<T>,
): Promise<T> => {
  const result = await step();
  await workflowCalls.wakeSession(sessionId);
  return result;
};

export type HostActivities = ReturnType<typeof createHostActivities>;
