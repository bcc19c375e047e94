import {
  negotiateVersion,
  newestOfServers,
  placementVersion,
} from '../../../../clouds/openstack/nova/negotiate-version';

it.each([
  { oldest: '2.1', newest: '2.53', agreed: '2.53' },
  { oldest: '2.1', newest: '2.79', agreed: '2.79' },
  { oldest: '2.1', newest: '2.101', agreed: '2.87' },
  { oldest: '2.87', newest: '2.200', agreed: '2.87' },
])('agrees on $agreed with a Nova from $oldest to $newest', ({ oldest, newest, agreed }) => {
  expect(negotiateVersion({ oldest, newest })).toBe(agreed);
});

it.each([
  { situation: 'is too old', oldest: '2.1', newest: '2.52' },
  { situation: 'is too new', oldest: '2.88', newest: '2.120' },
  { situation: 'has no micro-versions', oldest: '', newest: '' },
  { situation: 'says what is no version', oldest: '2.1', newest: 'latest' },
])('refuses a Nova that $situation, and says what is needed', ({ oldest, newest }) => {
  expect(() => negotiateVersion({ oldest, newest })).toThrow('Parley needs one from 2.53 to 2.87');
});

it.each([
  { newest: '2.79', agreed: '2.79' },
  { newest: '2.101', agreed: '2.100' },
])('reads servers at $agreed from a Nova up to $newest', ({ newest, agreed }) => {
  expect(negotiateVersion({ oldest: '2.1', newest }, newestOfServers)).toBe(agreed);
});

it.each([
  { offered: '1.17', agreed: '1.17' },
  { offered: '1.39', agreed: '1.36' },
  { offered: undefined, agreed: '1.10' },
  { offered: 'latest', agreed: '1.10' },
])('speaks $agreed to a placement up to $offered', ({ offered, agreed }) => {
  expect(placementVersion(offered)).toBe(agreed);
});
