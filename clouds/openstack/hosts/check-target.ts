/** What Nova finds out only after it has accepted a move: whether the target can take the server. */
import type { NovaApi } from '../nova/nova-api';
import type { Capacities, HostSize, Room } from './capacity';

interface Flavor {
  readonly vcpus: number;
  /** MB. */
  readonly ram: number;
}

/** @returns why the host cannot take a server of that size now; undefined where it can */
export type TargetCheck = (host: string, flavor: Flavor) => Promise<string | undefined>;

export const createTargetCheck = (nova: NovaApi, capacities: Capacities): TargetCheck => {
  return async (host, flavor) => {
    const size = (await capacities.sizes()).get(host);
    // A host that came up lately is not known yet: Nova itself decides.
    if (size === undefined) return undefined;
    return (await stateProblem(nova, host, size)) ?? roomProblem(flavor, await capacities.roomLeft(size));
  };
};

const stateProblem = async (nova: NovaApi, host: string, { hypervisorId }: HostSize): Promise<string | undefined> => {
  const hypervisor = await nova.findHypervisor(hypervisorId);
  if (hypervisor === undefined) return `its hypervisor could not be found.`;
  const { status, state, service } = hypervisor;
  if (status !== 'enabled') return `it is disabled (${service.disabled_reason ?? 'no reason given'}).`;
  return state === 'up' ? undefined : `nova-compute on ${host} is ${state}.`;
};

const roomProblem = ({ vcpus, ram }: Flavor, room: Room | undefined): string | undefined => {
  if (room === undefined || (room.vcpus >= vcpus && room.memoryMb >= ram)) return undefined;
  return `no room; ${vcpus} vcpus and ${ram} MB are needed, ${room.vcpus} vcpus and ${room.memoryMb} MB are left.`;
};
