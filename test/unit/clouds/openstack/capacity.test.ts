/** The capacity of a host, from placement's and Nova's answers. */
import { type CapacitySources, createCapacities } from '../../../../clouds/openstack/hosts/capacity';
import type { ServiceClient } from '../../../../clouds/openstack/http/service-client';
import { ServiceError } from '../../../../clouds/openstack/http/service-error';
import type { NovaHypervisor } from '../../../../clouds/openstack/nova/answers';

const hypervisor: NovaHypervisor = {
  id: 'hypervisor-1',
  state: 'up',
  status: 'enabled',
  service: { host: 'compute-1' },
  vcpus: 16,
  memory_mb: 64_000,
  vcpus_used: 4,
  memory_mb_used: 10_000,
};

const inventories = {
  VCPU: { total: 16, reserved: 2, allocation_ratio: 1.5 },
  MEMORY_MB: { total: 64_000, reserved: 1_001, allocation_ratio: 1.5 },
};
const usages = { VCPU: 6, MEMORY_MB: 20_000, DISK_GB: 10 };

const placementWith = (answers: Readonly<Record<string, object>>): ServiceClient => ({
  call({ path }) {
    const body = answers[path];
    if (body === undefined) return Promise.reject(new ServiceError(`${path} is not there`, 404, 'not there'));
    return Promise.resolve({ status: 200, headers: new Map(), body });
  },
});

const placement = placementWith({
  '/resource_providers/hypervisor-1/inventories': { inventories },
  '/resource_providers/hypervisor-1/usages': { usages },
});

const capacitiesBy = (client: ServiceClient | undefined, nowMs: () => number = () => 0) => {
  let readings = 0;
  const nova = {
    listHypervisors() {
      readings += 1;
      return Promise.resolve([hypervisor]);
    },
    findHypervisor: () => Promise.resolve(hypervisor),
  };
  // The calls to Nova that this uses.
  const sources = { nova: nova as unknown as CapacitySources['nova'], placement: () => Promise.resolve(client), nowMs };
  return { ...createCapacities(sources), readings: () => readings };
};

it.each([
  {
    situation: 'as placement lets Nova use it: without what is reserved, overcommitted',
    client: placement,
    size: { vcpus: 21, memoryMb: 94_498 },
    left: { vcpus: 15, memoryMb: 74_498 },
  },
  {
    situation: 'by its hypervisor where placement is not shown',
    client: undefined,
    size: { vcpus: 16, memoryMb: 64_000 },
    left: { vcpus: 12, memoryMb: 54_000 },
  },
  {
    situation: 'by its hypervisor where placement may not be read',
    client: { call: () => Promise.reject(new ServiceError('no', 403, 'forbidden')) },
    size: { vcpus: 16, memoryMb: 64_000 },
    left: { vcpus: 12, memoryMb: 54_000 },
  },
  {
    situation: 'by its hypervisor where placement does not know it yet',
    client: placementWith({}),
    size: { vcpus: 16, memoryMb: 64_000 },
    left: { vcpus: 12, memoryMb: 54_000 },
  },
])('sizes a host $situation', async ({ client, size, left }) => {
  const capacities = capacitiesBy(client);
  const known = (await capacities.sizes(['compute-1'])).get('compute-1')!;
  expect(known).toEqual({ hypervisorId: 'hypervisor-1', ...size });
  expect(await capacities.capacityLeft(known)).toEqual(left);
});

it.each([
  { situation: 'while it is kept', host: 'compute-1', afterMs: 299_999, readings: 1 },
  { situation: 'when its time is over', host: 'compute-1', afterMs: 300_000, readings: 2 },
  { situation: 'for a host that has just come up', host: 'compute-9', afterMs: 19_999, readings: 1 },
  { situation: 'for a host that came up a while ago', host: 'compute-9', afterMs: 20_000, readings: 2 },
])('has read the sizes $readings times $situation', async ({ host, afterMs, readings }) => {
  let nowMs = 0;
  const capacities = capacitiesBy(placement, () => nowMs);
  await capacities.sizes(['compute-1']);
  nowMs = afterMs;
  await capacities.sizes([host]);
  expect(capacities.readings()).toBe(readings);
});
