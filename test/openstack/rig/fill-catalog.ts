/** Keystone's catalogue of the rig: where Nova and placement are. */
import type { KeystoneRig } from './keystone-rig';
import type { OpenStackAddresses } from './openstack-addresses';

export const fillCatalog = async (
  keystone: KeystoneRig,
  { nova, placement }: Pick<OpenStackAddresses, 'nova' | 'placement'>,
): Promise<void> => {
  const services = [
    { type: 'compute', name: 'nova', url: nova },
    { type: 'placement', name: 'placement', url: placement },
  ];
  for (const { url, ...service } of services) {
    const made = await keystone.asAdmin('POST', '/services', { body: { service } });
    const { id } = (made as { service: { id: string } }).service;
    for (const place of ['public', 'internal', 'admin']) {
      const endpoint = { service_id: id, interface: place, url, region_id: 'RegionOne' };
      await keystone.asAdmin('POST', '/endpoints', { body: { endpoint } });
    }
  }
};
