/** The hosts in an answer of placement to a search for candidates, whole or not. */
import type { ServiceClient } from '../../../../clouds/openstack/http/service-client';
import { createPlacementApi } from '../../../../clouds/openstack/nova/placement-api';

const candidatesIn = async (requests: readonly (readonly string[])[], roots: Record<string, string> = {}) => {
  const body = {
    allocation_requests: requests.map((ids) => ({ allocations: Object.fromEntries(ids.map((id) => [id, {}])) })),
    provider_summaries: Object.fromEntries(
      requests.flat().map((id) => [id, { root_provider_uuid: roots[id] ?? id, resources: {} }]),
    ),
  };
  const paths: string[] = [];
  const client: ServiceClient = {
    call({ path }) {
      paths.push(path);
      return Promise.resolve({ status: 200, headers: new Map(), body });
    },
  };
  const found = await createPlacementApi({ connect: () => Promise.resolve(client) }).candidatesFor('resources=VCPU:1');
  return { paths, found: found! };
};

const hosts = (count: number) => Array.from({ length: count }, (_, n) => [`h${n}`]);

it.each([
  { situation: 'none', requests: [], named: 0, areAll: true },
  { situation: 'one less than it was asked for', requests: hosts(999), named: 999, areAll: true },
  { situation: 'as many as it was asked for', requests: hosts(1000), named: 1000, areAll: false },
])('that has $situation is whole: $areAll', async ({ requests, named, areAll }) => {
  const { paths, found } = await candidatesIn(requests);
  expect(paths).toEqual(['/allocation_candidates?resources=VCPU:1&limit=1000']);
  expect([found.named.size, found.areAll]).toEqual([named, areAll]);
});

it('names a host once, whose devices are providers of their own', async () => {
  const { found } = await candidatesIn([['h1', 'gpu-1'], ['h1', 'gpu-2'], ['h2']], { 'gpu-1': 'h1', 'gpu-2': 'h1' });
  expect(found).toEqual({ named: new Set(['h1', 'h2']), areAll: true });
});
