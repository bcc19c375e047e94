import { disableHost, enableHost } from '../../../../clouds/openstack/hosts/compute-service';
import type { NovaService } from '../../../../clouds/openstack/nova/answers';
import { createNovaApi } from '../../../../clouds/openstack/nova/nova-api';
import { createRecent } from '../../../../clouds/recent';

/** Nova as far as its services go: the host's only one, whose status is what it was put to. */
const aNova = () => {
  const calls: string[] = [];
  const clock = { nowMs: 0 };
  let status = 'enabled';
  const nova = createNovaApi({
    client: {
      call: ({ method, path, body }) => {
        calls.push(`${method} ${path}`);
        if (method === 'PUT') ({ status } = body as { status: string });
        const service: NovaService = { id: '1', host: 'a', binary: 'nova-compute', status, state: 'up' };
        return Promise.resolve({ status: 200, headers: new Map(), body: { services: [service] } });
      },
    },
  });
  const services = createRecent({ read: () => nova.listServices(), keepMs: 10_000, nowMs: () => clock.nowMs });
  return { switching: { nova, services }, calls, clock };
};

it('takes the ID of a service from the list that its caller has just read', async () => {
  const { switching, calls } = aNova();
  await switching.services.renew();
  await disableHost(switching, 'a', 'maintenance');
  expect(calls).toEqual(['GET /os-services', 'PUT /os-services/1']);
});

it('lists services anew where that was not just now, and after each switch', async () => {
  const { switching, calls, clock } = aNova();
  await switching.services.renew();
  clock.nowMs = 1_000;
  await disableHost(switching, 'a', 'maintenance');
  await enableHost(switching, 'a');
  expect(calls.filter((call) => call.startsWith('GET'))).toHaveLength(3);
});

it('asks for nothing where the host is so already', async () => {
  const { switching, calls } = aNova();
  await enableHost(switching, 'a');
  expect(calls).toEqual(['GET /os-services']);
});
