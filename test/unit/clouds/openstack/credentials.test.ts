import { describeCredentials, loginBody } from '../../../../clouds/openstack/keystone/credentials';
import { findEndpoint } from '../../../../clouds/openstack/keystone/catalog';

const byName = {
  kind: 'password',
  username: 'parley',
  userDomain: { name: 'Default' },
  password: 'secret',
  project: { name: 'admin' },
  projectDomain: { name: 'Default' },
} as const;

it('logs in with names', () => {
  const domain = { name: 'Default' };
  expect(loginBody(byName)).toEqual({
    auth: {
      identity: { methods: ['password'], password: { user: { name: 'parley', domain, password: 'secret' } } },
      scope: { project: { name: 'admin', domain } },
    },
  });
});

it('logs in with IDs where they are given', () => {
  const byId = { ...byName, userDomain: { id: 'd', name: 'Default' }, project: { id: 'p', name: 'admin' } };
  expect(loginBody(byId)).toMatchObject({
    auth: { identity: { password: { user: { domain: { id: 'd' } } } }, scope: { project: { id: 'p' } } },
  });
});

it('logs in with an application credential, which has its project', () => {
  expect(loginBody({ kind: 'applicationCredential', id: 'i', secret: 's' })).toEqual({
    auth: { identity: { methods: ['application_credential'], application_credential: { id: 'i', secret: 's' } } },
  });
});

it('is described without what is secret', () => {
  expect(describeCredentials(byName)).toBe('user parley');
  expect(describeCredentials({ kind: 'applicationCredential', id: 'i', secret: 's' })).toBe('application credential i');
});

describe('the endpoint of a service', () => {
  const endpoint = (place: string, region_id: string) => ({
    interface: place,
    region_id,
    url: `http://${place}.${region_id}/v2.1/`,
  });
  const catalog = [
    { type: 'identity', endpoints: [endpoint('public', 'one')] },
    { type: 'compute', endpoints: [endpoint('public', 'one'), endpoint('internal', 'one'), endpoint('public', 'two')] },
  ];
  const types = ['compute'];

  it.each([
    { choice: { types, interface: 'public', region: 'two' }, url: 'http://public.two/v2.1' },
    { choice: { types, interface: 'internal' }, url: 'http://internal.one/v2.1' },
    { choice: { types, interface: 'admin' }, url: undefined },
    { choice: { types: ['placement'], interface: 'public' }, url: undefined },
  ])('is $url for $choice', ({ choice, url }) => {
    expect(findEndpoint(catalog, choice)).toBe(url);
  });
});
