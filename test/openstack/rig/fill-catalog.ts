/** Keystone's catalogue of the rig: where Nova and placement of each region are. */
import type { KeystoneRig } from './keystone-rig';
import type { OpenStackAddresses } from './openstack-addresses';

type Places = Pick<OpenStackAddresses, 'region' | 'nova' | 'placement'>;

/** Keystone begins with a region of its own, which may be one of these. */
const addRegions = async (keystone: KeystoneRig, wanted: readonly string[]): Promise<void> => {
  const { regions } = (await keystone.asAdmin('GET', '/regions')) as { regions: readonly { readonly id: string }[] };
  const missing = wanted.filter((region) => regions.every(({ id }) => id !== region));
  for (const id of missing) await keystone.asAdmin('POST', '/regions', { body: { region: { id } } });
};

export const fillCatalog = async (keystone: KeystoneRig, clouds: readonly Places[]): Promise<void> => {
  await addRegions(
    keystone,
    clouds.map(({ region }) => region),
  );
  const services = [
    { type: 'compute', name: 'nova', urlIn: ({ nova }: Places) => nova },
    { type: 'placement', name: 'placement', urlIn: ({ placement }: Places) => placement },
  ];
  for (const { urlIn, ...service } of services) {
    const made = await keystone.asAdmin('POST', '/services', { body: { service } });
    const { id } = (made as { service: { id: string } }).service;
    for (const cloud of clouds) {
      for (const place of ['public', 'internal', 'admin']) {
        const endpoint = { service_id: id, interface: place, url: urlIn(cloud), region_id: cloud.region };
        await keystone.asAdmin('POST', '/endpoints', { body: { endpoint } });
      }
    }
  }
};
