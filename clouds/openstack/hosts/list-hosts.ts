/**
 * Hosts from Nova's services: a host with nova-compute is a compute, and a host with any other service of Nova's
 * control plane is a controller.
 */
import type { CloudHost } from '../../cloud-driver';
import type { NovaService } from '../nova/answers';
import type { HostSize } from './capacity';

export const computeBinary = 'nova-compute';

/** Follows "since". */
export const cellIsDown = 'its cell does not answer Nova (see "nova-manage cell_v2 list_cells", and its database)';

/** Nova knows such a service by its name only. */
export const isOfDownCell = ({ status, state }: NovaService): boolean => status === 'UNKNOWN' && state === undefined;

const hostFrom = (name: string, services: readonly NovaService[], size: HostSize | undefined): CloudHost => {
  const compute = services.find(({ binary }) => binary === computeBinary);
  return {
    name,
    type: services.some(({ binary }) => binary !== computeBinary) ? 'controller' : 'compute',
    isCompute: compute !== undefined,
    vcpus: size?.vcpus ?? 0,
    memoryMb: size?.memoryMb ?? 0,
    ...(compute === undefined ? { enabled: true, isUp: true } : stateOf(compute)),
  };
};

/** A host of a cell that does not answer counts as disabled: nothing is to be placed there, and nobody knows. */
const stateOf = (compute: NovaService): Pick<CloudHost, 'enabled' | 'isUp' | 'disabledReason' | 'contentUnknown'> => {
  if (isOfDownCell(compute)) return { enabled: false, isUp: false, contentUnknown: cellIsDown };
  const isEnabled = compute.status === 'enabled';
  const { disabled_reason: disabledReason } = compute;
  return {
    enabled: isEnabled,
    isUp: compute.state === 'up',
    ...(!isEnabled && disabledReason != null && { disabledReason }),
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
