/**
 * Hosts from Nova's services: a host with nova-compute is a compute, and a host with any other service of Nova's
 * control plane is a controller.
 */
import type { CloudHost } from '../../cloud-driver';
import type { NovaService } from '../nova/answers';
import type { HostSize } from './capacity';

export const computeBinary = 'nova-compute';

const hostFrom = (name: string, services: readonly NovaService[], size: HostSize | undefined): CloudHost => {
  const compute = services.find(({ binary }) => binary === computeBinary);
  const isEnabled = compute === undefined || compute.status === 'enabled';
  return {
    name,
    type: services.some(({ binary }) => binary !== computeBinary) ? 'controller' : 'compute',
    isCompute: compute !== undefined,
    vcpus: size?.vcpus ?? 0,
    memoryMb: size?.memoryMb ?? 0,
    enabled: isEnabled,
    isUp: compute === undefined || compute.state === 'up',
    ...(!isEnabled && compute.disabled_reason != null && { disabledReason: compute.disabled_reason }),
  };
};

/** One host for every host name of a service, by name. */
export const hostsFrom = (
  services: readonly NovaService[],
  sizes: ReadonlyMap<string, HostSize>,
): readonly CloudHost[] => {
  const names = [...new Set(services.map(({ host }) => host))].sort();
  return names.map((name) =>
    hostFrom(
      name,
      services.filter(({ host }) => host === name),
      sizes.get(name),
    ),
  );
};
