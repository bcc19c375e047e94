import { disableHost, enableHost } from '../../../../clouds/openstack/hosts/compute-service';
import type { NovaService } from '../../../../clouds/openstack/nova/answers';
import { createNovaApi } from '../../../../clouds/openstack/nova/nova-api';

/** Nova as far as its services go: the host's only one, whose status is what it was put to. */
const aNova = () => {
  const calls: string[] = [];
  let status = 'enabled';
  const nova = createNovaApi({
    client: {
      call: ({ method, path, query = {}, body }) => {
        calls.push([method, path, ...Object.values(query)].join(' '));
        if (method === 'PUT') ({ status } = body as { status: string });
        const service: NovaService = { id: '1', host: 'a', binary: 'nova-compute', status, state: 'up' };
        return Promise.resolve({ status: 200, headers: new Map(), body: { services: [service] } });
      },
    },
  });
  return { switching: { nova, services: { forget: () => calls.push('forget') } }, calls };
};

it('asks for the services of the host alone, and forgets the lists from before the switch', async () => {
  const { switching, calls } = aNova();
  await disableHost(switching, 'a', 'maintenance');
  expect(calls).toEqual(['GET /os-services a', 'PUT /os-services/1', 'forget']);
});

it('changes nothing where the host is so already', async () => {
  const { switching, calls } = aNova();
  await enableHost(switching, 'a');
  expect(calls).toEqual(['GET /os-services a']);
});
