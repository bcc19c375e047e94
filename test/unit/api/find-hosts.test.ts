/** Hosts that seem to be gone, as a create request and a plan meet them. */
import { findHosts } from '../../../api/services/find-hosts';
import { hostsThatSeemGone } from '../../../api/services/plan-blockers';
import type { CloudDriver } from '../../../clouds/cloud-driver';
import type { CloudHost } from '../../../rules/cloud/cloud-facts';

const host = (name: string, given: Partial<CloudHost> = {}): CloudHost => ({
  ...{ name, type: 'controller', isCompute: false, amounts: { VCPU: 0, MEMORY_MB: 0 }, enabled: true, isUp: true },
  ...given,
});
const hosts = [host('controller-1'), host('pod-1', { seemsGone: 'its services (nova-conductor) have never reported' })];
const cloud = { name: 'openstack', listHosts: () => Promise.resolve(hosts) } as Partial<CloudDriver> as CloudDriver;

it('a session over all hosts leaves them out, and its plan says so', async () => {
  const found = await findHosts(cloud, { named: [], except: [] });
  expect(found.hosts.map(({ hostname }) => hostname)).toEqual(['controller-1']);
  expect(hostsThatSeemGone(found.gone)).toMatchObject([
    {
      kind: 'host_left_out',
      severity: 'note',
      subject: { name: 'pod-1' },
      because: expect.stringContaining('never') as string,
    },
  ]);
});

it('a request that names one is refused with the reason', async () => {
  const message = expect.stringContaining('"pod-1" seems to be gone, since its services') as string;
  await expect(findHosts(cloud, { named: ['controller-1', 'pod-1'], except: [] })).rejects.toMatchObject({
    problem: { status: 400, errors: [{ pointer: '/hosts/1', message }] },
  });
});
