import { catalogFrom, findEndpoint } from '../../../../clouds/keystone/catalog';

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

describe('a catalogue with entries that lack something', () => {
  const told = [
    { type: 'metering', endpoints: null },
    {
      type: 'compute',
      endpoints: [
        { interface: 'public', region: 'one' },
        { interface: 'public', url: 'http://nova' },
      ],
    },
    { type: 'placement', endpoints: [{ interface: 'public', region: 'two', region_id: null, url: 'http://places/' }] },
    { name: 'of no type' },
  ];

  it('tells the addresses that it has', () => {
    const catalog = catalogFrom(told);
    expect(findEndpoint(catalog, { types: ['compute'], interface: 'public' })).toBe('http://nova');
    expect(findEndpoint(catalog, { types: ['placement'], interface: 'public', region: 'two' })).toBe('http://places');
    expect(findEndpoint(catalog, { types: ['metering'], interface: 'public' })).toBeUndefined();
  });

  it.each([undefined, null, {}])('has none where it is %p', (nothing) => {
    expect(catalogFrom(nothing)).toEqual([]);
  });
});
