/**
 * The capacity of the hosts. Placement knows the part of a host that Nova may use (reserved, overcommitted). When
 * placement is not visible to the service, the hypervisor's own size counts. Sizes change rarely, so they are kept for
 * a while.
 */
import type { HttpAnswer } from '../../keystone/exchange';
import type { ServiceClient } from '../http/service-client';
import { ServiceError } from '../http/service-error';
import { type Inventory, type NovaHypervisor, parseInventories, parseUsages } from '../nova/answers';
import type { NovaApi } from '../nova/nova-api';

export interface FreeCapacity {
  readonly vcpus: number;
  readonly memoryMb: number;
}

export interface HostSize extends FreeCapacity {
  /** The ID of the host's hypervisor in Nova and placement. */
  readonly hypervisorId: string;
}

export interface Capacities {
  /** By the name of the compute service's host. A host is missing when Nova has no hypervisor for it yet. */
  sizes(hosts: readonly string[]): Promise<ReadonlyMap<string, HostSize>>;
  /** The free capacity of a host at present; undefined when its hypervisor is gone. */
  capacityLeft(host: HostSize): Promise<FreeCapacity | undefined>;
}

export interface CapacitySources {
  readonly nova: NovaApi;
  readonly placement: () => Promise<ServiceClient | undefined>;
  readonly nowMs?: () => number;
}

const keepMs = 5 * 60_000;
/** Looks again for a host that has come up lately. */
const keepWithNewHostMs = 20_000;

/** The part of a resource that may be allocated. */
const usable = (inventory: Inventory | undefined): number =>
  inventory === undefined ? 0 : Math.floor((inventory.total - inventory.reserved) * inventory.allocation_ratio);

/** Undefined when placement does not know the provider, or hides it from this login. */
const unlessHidden = async (placement: ServiceClient | undefined, path: string): Promise<HttpAnswer | undefined> => {
  try {
    return await placement?.call({ method: 'GET', path });
  } catch (error) {
    if (error instanceof ServiceError && (error.status === 403 || error.status === 404)) return undefined;
    throw error;
  }
};

export const createCapacities = ({ nova, placement, nowMs = Date.now }: CapacitySources): Capacities => {
  const inventoryOf = async (hypervisorId: string): Promise<FreeCapacity | undefined> => {
    const answer = await unlessHidden(await placement(), `/resource_providers/${hypervisorId}/inventories`);
    if (answer === undefined) return undefined;
    const { inventories } = parseInventories(answer.body);
    return { vcpus: usable(inventories['VCPU']), memoryMb: usable(inventories['MEMORY_MB']) };
  };
  const sizeOf = async (hypervisor: NovaHypervisor): Promise<HostSize> => {
    const { id, vcpus, memory_mb } = hypervisor;
    return { hypervisorId: id, ...((await inventoryOf(id)) ?? { vcpus, memoryMb: memory_mb }) };
  };
  const readSizes = async (): Promise<ReadonlyMap<string, HostSize>> => {
    const sizes = new Map<string, HostSize>();
    for (const hypervisor of await nova.listHypervisors()) {
      sizes.set(hypervisor.service.host, await sizeOf(hypervisor));
    }
    return sizes;
  };
  const usedOf = async (hypervisorId: string): Promise<FreeCapacity | undefined> => {
    const answer = await unlessHidden(await placement(), `/resource_providers/${hypervisorId}/usages`);
    if (answer !== undefined) {
      const { usages } = parseUsages(answer.body);
      return { vcpus: usages['VCPU'] ?? 0, memoryMb: usages['MEMORY_MB'] ?? 0 };
    }
    const hypervisor = await nova.findHypervisor(hypervisorId);
    return hypervisor && { vcpus: hypervisor.vcpus_used, memoryMb: hypervisor.memory_mb_used };
  };

  let kept: { readonly sizes: Promise<ReadonlyMap<string, HostSize>>; readonly readAtMs: number } | undefined;
  const keep = (): Promise<ReadonlyMap<string, HostSize>> => {
    const sizes = readSizes();
    kept = { sizes, readAtMs: nowMs() };
    sizes.catch(() => {
      kept = undefined;
    });
    return sizes;
  };
  return {
    async sizes(hosts) {
      if (kept === undefined || nowMs() >= kept.readAtMs + keepMs) return keep();
      const known = await kept.sizes;
      const isNewHost = hosts.some((host) => !known.has(host));
      return isNewHost && nowMs() >= kept.readAtMs + keepWithNewHostMs ? keep() : known;
    },
    async capacityLeft({ hypervisorId, vcpus, memoryMb }) {
      const used = await usedOf(hypervisorId);
      return used && { vcpus: vcpus - used.vcpus, memoryMb: memoryMb - used.memoryMb };
    },
  };
};
