/** Instances that were made again on a host after its session had disabled it. */
import type { Fleet, Host, Instance } from './fleet';

/** The cloud writes whole seconds. */
const precisionMs = 1_000;

/** True for an instance that came to the host although nothing new should come there. */
export const isBackOn = ({ madeAtMs }: Instance, { work }: Pick<Host, 'work'>): boolean =>
  madeAtMs !== undefined &&
  work?.phase === 'emptying' &&
  work.disabledAtMs !== undefined &&
  madeAtMs > work.disabledAtMs + precisionMs;

export const areAnyBack = ({ hosts, instances }: Pick<Fleet, 'hosts' | 'instances'>): boolean => {
  const drained = new Map(hosts.flatMap((host) => (host.work?.phase === 'emptying' ? [[host.name, host]] : [])));
  if (drained.size === 0) return false;
  return instances.some((instance) => {
    const host = drained.get(instance.host);
    return host !== undefined && isBackOn(instance, host);
  });
};
