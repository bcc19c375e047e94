/** The capacity of a host, from placement's and Nova's answers. */
import { type CapacitySources, createCapacities } from '../../../../clouds/openstack/hosts/capacity';
import type { ServiceCall, ServiceClient } from '../../../../clouds/openstack/http/service-client';
import { ServiceError } from '../../../../clouds/openstack/http/service-error';
import type { NovaHypervisor } from '../../../../clouds/openstack/nova/answers';
import { createPlacementApi } from '../../../../clouds/openstack/nova/placement-api';

const hypervisor: NovaHypervisor = {
  id: 'hypervisor-1',
  hypervisor_type: 'QEMU',
  service: { host: 'compute-1' },
  ...{ vcpus: 16, memory_mb: 64_000, local_gb: 500 },
  ...{ vcpus_used: 4, memory_mb_used: 10_000, local_gb_used: 100 },
};

const inventories = {
  VCPU: { total: 16, reserved: 2, allocation_ratio: 1.5 },
  MEMORY_MB: { total: 64_000, reserved: 1_001, allocation_ratio: 1.5 },
  PCPU: { total: 4, reserved: 8, allocation_ratio: 1 },
};
const oddInventories = {
  VCPU: { total: -4, reserved: 0, allocation_ratio: 16 },
  MEMORY_MB: { total: 1e18, reserved: 0, allocation_ratio: 2 },
  CUSTOM_A: { total: 2.9, reserved: 0, allocation_ratio: 1 },
};
const usages = { VCPU: 6, MEMORY_MB: 20_000, PCPU: 0 };
const gpus = { VGPU: { total: 8, reserved: 0, allocation_ratio: 1 } };
const providers = [
  { uuid: 'hypervisor-1', root_provider_uuid: 'hypervisor-1' },
  { uuid: 'gpu-1', root_provider_uuid: 'hypervisor-1' },
  { uuid: 'gpu-2', root_provider_uuid: 'hypervisor-1' },
];

const allAnswers: Readonly<Record<string, object>> = {
  '/resource_providers': { resource_providers: providers },
  '/resource_providers/hypervisor-1/inventories': { inventories },
  '/resource_providers/hypervisor-1/traits': { traits: ['CUSTOM_A'] },
  '/resource_providers/hypervisor-1/usages': { usages },
  '/resource_providers/gpu-1/inventories': { inventories: gpus },
  '/resource_providers/gpu-1/traits': { traits: ['CUSTOM_B'] },
  '/resource_providers/gpu-2/inventories': { inventories: gpus },
  '/resource_providers/gpu-2/traits': { traits: [] },
  '/resource_providers/gpu-1/usages': { usages: { VGPU: 3 } },
  '/resource_providers/gpu-2/usages': { usages: { VGPU: 0 } },
};

const placementWith = (answers: Readonly<Record<string, object>>): ServiceClient => ({
  call({ path }) {
    const body = answers[path];
    if (body === undefined) return Promise.reject(new ServiceError(`${path} is not there`, 404, 'not there'));
    return Promise.resolve({ status: 200, headers: new Map(), body });
  },
});

const without = (hidden: RegExp): ServiceClient =>
  placementWith(Object.fromEntries(Object.entries(allAnswers).filter(([path]) => !hidden.test(path))));

const refusing = (status: number): ServiceClient => ({
  call: () => Promise.reject(new ServiceError('no', status, 'no')),
});

const telling = (body: unknown): ServiceClient => ({
  call: () => Promise.resolve({ status: 200, headers: new Map(), body }),
});
const aProxy = telling('<html>Welcome</html>');

const capacitiesBy = (client: ServiceClient | undefined, nowMs: () => number = () => 0, all = [hypervisor]) => {
  let readings = 0;
  const nova = {
    listHypervisors() {
      readings += 1;
      return Promise.resolve(all);
    },
    findHypervisor: (wanted: string) => Promise.resolve(all.find(({ id }) => id === wanted)),
  };
  const placement = createPlacementApi({ connect: () => Promise.resolve(client), nowMs });
  // The calls to Nova that this uses.
  const sources = { nova: nova as unknown as CapacitySources['nova'], placement, nowMs };
  return { ...createCapacities(sources), readings: () => readings };
};

const byPlacement = { VCPU: 21, MEMORY_MB: 94_498, PCPU: 0, VGPU: 16 };
const byNova = {
  size: { toldBy: 'nova', amounts: { VCPU: 16, MEMORY_MB: 64_000, DISK_GB: 500 } },
  left: { VCPU: 12, MEMORY_MB: 54_000, DISK_GB: 400 },
};

it.each([
  {
    situation: 'as placement lets Nova use it: without what is reserved, overcommitted, with its devices',
    client: placementWith(allAnswers),
    size: { toldBy: 'placement', amounts: byPlacement, traits: ['CUSTOM_A', 'CUSTOM_B'] },
    left: { ...byPlacement, VCPU: 15, MEMORY_MB: 74_498, VGPU: 13 },
  },
  {
    situation: 'without traits where placement hides those of a device',
    client: without(/gpu-1.traits/),
    size: { toldBy: 'placement', amounts: byPlacement },
    left: { ...byPlacement, VCPU: 15, MEMORY_MB: 74_498, VGPU: 13 },
  },
  {
    situation: 'without its devices where placement lists no providers',
    client: without(/providers$/),
    size: {
      toldBy: 'placement',
      amounts: { VCPU: 21, MEMORY_MB: 94_498, PCPU: 0 },
      traits: ['CUSTOM_A'],
    },
    left: { VCPU: 15, MEMORY_MB: 74_498, PCPU: 0 },
  },
  {
    situation: 'without amounts below zero and parts of one, and as large as placement says',
    client: placementWith({
      '/resource_providers': { resource_providers: [] },
      '/resource_providers/hypervisor-1/inventories': { inventories: oddInventories },
      '/resource_providers/hypervisor-1/traits': { traits: [] },
      '/resource_providers/hypervisor-1/usages': { usages: { VCPU: 3, MEMORY_MB: -1 } },
    }),
    size: { toldBy: 'placement', amounts: { VCPU: 0, MEMORY_MB: 2e18, CUSTOM_A: 2 }, traits: [] },
    left: { VCPU: -3, MEMORY_MB: 2e18 + 1 },
  },
  {
    situation: 'without what its hypervisor does not tell, where the usages may not be read',
    client: without(/usages$/),
    size: { toldBy: 'placement', amounts: byPlacement, traits: ['CUSTOM_A', 'CUSTOM_B'] },
    left: { VCPU: 17, MEMORY_MB: 84_498 },
  },
  { situation: 'by its hypervisor where placement is not shown', client: undefined, ...byNova },
  { situation: 'by its hypervisor where placement may not be read', client: refusing(403), ...byNova },
  { situation: 'by its hypervisor where placement does not know it yet', client: placementWith({}), ...byNova },
  { situation: 'by its hypervisor where placement has not answered yet', client: refusing(503), ...byNova },
  { situation: 'by its hypervisor where a proxy answers for placement', client: aProxy, ...byNova },
  { situation: 'by its hypervisor where placement tells no more than a name', client: telling({}), ...byNova },
])('sizes a host $situation', async ({ client, size, left }) => {
  const capacities = capacitiesBy(client);
  const known = (await capacities.sizes(['compute-1'])).get('compute-1')!;
  expect(known).toMatchObject({ hypervisorIds: ['hypervisor-1'], hypervisorType: 'QEMU', ...size });
  expect(await capacities.capacityLeft(known)).toEqual(left);
});

describe('a service with several bare-metal nodes', () => {
  const nodes = ['node-1', 'node-2'].map((id) => ({ ...hypervisor, id, hypervisor_type: 'ironic' }));
  const tellingOf = (id: string) => ({
    [`/resource_providers/${id}/inventories`]: {
      inventories: { CUSTOM_GOLD: { total: 1, reserved: 0, allocation_ratio: 1 } },
    },
    [`/resource_providers/${id}/traits`]: { traits: ['CUSTOM_A'] },
    [`/resource_providers/${id}/usages`]: { usages: { CUSTOM_GOLD: id === 'node-1' ? 1 : 0 } },
  });

  it('has the sum of them, and names each', async () => {
    const client = placementWith({ ...tellingOf('node-1'), ...tellingOf('node-2') });
    const capacities = capacitiesBy(client, undefined, nodes);
    const known = (await capacities.sizes(['compute-1'])).get('compute-1')!;
    expect(known).toEqual({
      ...{ hypervisorIds: ['node-1', 'node-2'], providerIds: ['node-1', 'node-2'], hypervisorType: 'ironic' },
      ...{ toldBy: 'placement', amounts: { CUSTOM_GOLD: 2 }, traits: ['CUSTOM_A'] },
    });
    expect(await capacities.capacityLeft(known)).toEqual({ CUSTOM_GOLD: 1 });
  });

  it('is sized by Nova where placement does not know one of them', async () => {
    const capacities = capacitiesBy(placementWith(tellingOf('node-1')), undefined, nodes);
    const known = (await capacities.sizes(['compute-1'])).get('compute-1')!;
    expect(known).toMatchObject({ toldBy: 'nova', amounts: { VCPU: 32 } });
    expect(await capacities.capacityLeft(known)).toEqual({ VCPU: 24, MEMORY_MB: 108_000, DISK_GB: 800 });
  });
});

describe('while placement does not answer', () => {
  let nowMs: number;
  let calls: ServiceCall[];
  let isAway: boolean;
  const client: ServiceClient = {
    call(call) {
      calls.push(call);
      return isAway ? refusing(503).call(call) : placementWith(allAnswers).call(call);
    },
  };
  const amountsOf = async (capacities: ReturnType<typeof capacitiesBy>) =>
    (await capacities.sizes(['compute-1'])).get('compute-1')!.amounts;
  beforeEach(() => {
    nowMs = 0;
    calls = [];
    isAway = false;
  });

  it('what it told before goes on to count, and it is asked again soon', async () => {
    const capacities = capacitiesBy(client, () => nowMs);
    await capacities.sizes(['compute-1']);
    isAway = true;
    nowMs = 300_000;
    expect(await amountsOf(capacities)).toEqual(byPlacement);
    isAway = false;
    nowMs += 30_000;
    await capacities.sizes(['compute-1']);
    expect(capacities.readings()).toBe(3);
    nowMs += 30_000;
    await capacities.sizes(['compute-1']);
    expect(capacities.readings()).toBe(3);
  });

  it('it is asked once, without a second try, and then left alone for half a minute', async () => {
    isAway = true;
    const capacities = capacitiesBy(client, () => nowMs);
    const known = (await capacities.sizes(['compute-1'])).get('compute-1')!;
    await capacities.capacityLeft(known);
    nowMs = 29_999;
    await capacities.capacityLeft(known);
    expect(calls).toMatchObject([{ path: '/resource_providers', tries: 1 }]);
    nowMs = 30_000;
    await capacities.capacityLeft(known);
    expect(calls).toHaveLength(2);
  });
});

it('forgets a resource that placement told and tells no more, when its time is over', async () => {
  const nowMs = { now: 0 };
  const answers: Record<string, object> = { ...allAnswers };
  const capacities = capacitiesBy(placementWith(answers), () => nowMs.now);
  const amountsNow = async () => (await capacities.sizes(['compute-1'])).get('compute-1')!.amounts;
  expect(await amountsNow()).toEqual(byPlacement);
  answers['/resource_providers'] = { resource_providers: [providers[0]] };
  nowMs.now = 300_000;
  const { VGPU: gone, ...others } = byPlacement;
  expect(gone).toBe(16);
  expect(await amountsNow()).toEqual(others);
});

it.each([
  { situation: 'while it is kept', host: 'compute-1', afterMs: 299_999, readings: 1 },
  { situation: 'when its time is over', host: 'compute-1', afterMs: 300_000, readings: 2 },
  { situation: 'for a host that has just come up', host: 'compute-9', afterMs: 19_999, readings: 1 },
  { situation: 'for a host that came up a while ago', host: 'compute-9', afterMs: 20_000, readings: 2 },
])('has read the sizes $readings times $situation', async ({ host, afterMs, readings }) => {
  let nowMs = 0;
  const capacities = capacitiesBy(placementWith(allAnswers), () => nowMs);
  await capacities.sizes(['compute-1']);
  nowMs = afterMs;
  await capacities.sizes([host]);
  expect(capacities.readings()).toBe(readings);
});
