import { findEndpoint } from '../../../../clouds/keystone/catalog';

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
    { choice: { types, interface: 'internalURL' }, url: 'http://internal.one/v2.1' },
    { choice: { types, interface: 'admin' }, url: undefined },
    { choice: { types: ['placement'], interface: 'public' }, url: undefined },
  ])('is $url for $choice', ({ choice, url }) => {
    expect(findEndpoint(catalog, choice)).toBe(url);
  });
});
