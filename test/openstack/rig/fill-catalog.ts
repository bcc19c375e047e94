/** Keystone's catalogue of the rig: where Nova and placement of each region are. */
import { callJson } from './json-client';
import type { KeystoneRig } from './keystone-rig';
import type { OpenStackAddresses } from './openstack-addresses';

/** Calls Keystone's API as its `admin`. */
type AsAdmin = KeystoneRig['asAdmin'];

type Places = Pick<OpenStackAddresses, 'region' | 'nova' | 'placement'>;

/** Keystone begins with a region of its own, which may be one of these. */
const addRegions = async (asAdmin: AsAdmin, wanted: readonly string[]): Promise<void> => {
  const { regions } = (await asAdmin('GET', '/regions')) as { regions: readonly { readonly id: string }[] };
  const missing = wanted.filter((region) => regions.every(({ id }) => id !== region));
  for (const id of missing) await asAdmin('POST', '/regions', { body: { region: { id } } });
};

/** One token is enough for all calls; `asAdmin` of the rig logs in for each. */
const oneLogin = async (keystone: KeystoneRig): Promise<AsAdmin> => {
  const headers = { 'x-auth-token': await keystone.token('admin', { project: 'admin' }) };
  return async (method, at, { body } = {}) =>
    (await callJson(`${keystone.authUrl}${at}`, { method, headers, body })).body;
};

export const fillCatalog = async (keystone: KeystoneRig, clouds: readonly Places[]): Promise<void> => {
  const asAdmin = await oneLogin(keystone);
  await addRegions(
    asAdmin,
    clouds.map(({ region }) => region),
  );
  const services = [
    { type: 'compute', name: 'nova', urlIn: ({ nova }: Places) => nova },
    { type: 'placement', name: 'placement', urlIn: ({ placement }: Places) => placement },
  ];
  for (const { urlIn, ...service } of services) {
    const made = await asAdmin('POST', '/services', { body: { service } });
    const { id } = (made as { service: { id: string } }).service;
    for (const cloud of clouds) {
      for (const place of ['public', 'internal', 'admin']) {
        const endpoint = { service_id: id, interface: place, url: urlIn(cloud), region_id: cloud.region };
        await asAdmin('POST', '/endpoints', { body: { endpoint } });
      }
    }
  }
};
