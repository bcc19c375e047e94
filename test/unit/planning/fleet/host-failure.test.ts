import { failureNaming, failureOfHosts, type OwnedHost } from '../../../../planning/fleet/host-failure';

const aHost = (given: Partial<OwnedHost>): OwnedHost => ({
  name: 'h-1',
  work: { phase: 'emptying' },
  isListed: true,
  ...given,
});

it.each([
  { situation: 'all goes well', hosts: [aHost({})], failure: undefined },
  {
    situation: 'one failed and is given back, another stays as it is',
    hosts: [
      aHost({ work: { phase: 'releasing', failure: 'host h-1: no' } }),
      aHost({ name: 'h-2', work: { phase: 'failed', failure: 'no answer' } }),
    ],
    failure: 'host h-1: no; host h-2: no answer',
  },
  {
    situation: 'its reason is about a host whose name begins with its own',
    hosts: [aHost({ work: { phase: 'failed', failure: 'host h-12 took the port' } })],
    failure: 'host h-1: host h-12 took the port',
  },
  { situation: 'nobody said why', hosts: [aHost({ work: { phase: 'failed' } })], failure: 'host h-1: failed' },
  {
    situation: 'the cloud does not list it any more',
    hosts: [aHost({ isListed: false })],
    failure: 'host h-1: the cloud does not list it any more; bring it back, then resume',
  },
  {
    situation: 'it is not listed any more, and is done',
    hosts: [aHost({ work: { phase: 'maintained' }, isListed: false })],
    failure: undefined,
  },
])('hosts fail their session with "$failure" where $situation', ({ hosts, failure }) => {
  expect(failureOfHosts(hosts)).toBe(failure);
});

it.each([
  { reason: 'action plug-in script (host) failed', failure: 'host a: action plug-in script (host) failed' },
  { reason: 'nothing answers at compute-a', failure: 'host a: nothing answers at compute-a' },
  { reason: 'host ab could not be disabled: no', failure: 'host a: host ab could not be disabled: no' },
  { reason: 'host a could not be disabled: no', failure: 'host a could not be disabled: no' },
  { reason: 'host a: no', failure: 'host a: no' },
])('the failure of host a by "$reason" names it', ({ reason, failure }) => {
  expect(failureNaming('a', reason)).toBe(failure);
});
