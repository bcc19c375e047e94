import type { HostPhase } from '../../../../../rules/decisions/fleet/fleet';
import {
  failureOfHosts,
  hostsToSetAside,
  ifTheseFail,
  type OwnedHost,
  staysDisabled,
} from '../../../../../rules/decisions/fleet/set-aside-or-fail';

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
    failure: 'host h-1: the cloud does not list it any more; bring it back, then continue the session',
  },
  {
    situation: 'it is not listed any more, and is done',
    hosts: [aHost({ work: { phase: 'maintained' }, isListed: false })],
    failure: undefined,
  },
])('hosts fail their session with "$failure" where $situation', ({ hosts, failure }) => {
  expect(failureOfHosts(hosts)).toBe(failure);
});

describe('with max_failed_hosts', () => {
  const failedIn = (phase: HostPhase, name = 'h-1', isListed = true): OwnedHost =>
    aHost({ name, work: { phase, failure: `host ${name}: no` }, isListed });
  const unlistedIn = (phase: HostPhase): OwnedHost => aHost({ work: { phase }, isListed: false });

  it.each([
    { situation: 'one failed of one that may', hosts: [failedIn('failed')], most: 1, failure: undefined },
    {
      situation: 'one failed after the one that may',
      hosts: [failedIn('set_aside'), failedIn('releasing', 'h-2')],
      most: 1,
      failure: 'host h-1: no; host h-2: no; 2 hosts have failed, more than max_failed_hosts 1 allows',
    },
    { situation: 'others were skipped', hosts: [failedIn('failed'), aHost({ work: { phase: 'skipped' } })], most: 1 },
    { situation: 'one that was skipped is gone', hosts: [unlistedIn('skipped')], most: 0, failure: undefined },
    { situation: 'one that was set aside is gone', hosts: [failedIn('set_aside', 'h-1', false)], most: 1 },
  ])('the session fails with "$failure" where $situation', ({ hosts, most, failure }) => {
    expect(failureOfHosts(hosts, most)).toBe(failure);
  });

  it.each([
    { situation: 'it failed and is given back', hosts: [failedIn('failed')], setAside: ['h-1'] },
    { situation: 'it failed and is still given back', hosts: [failedIn('releasing')], setAside: [] },
    { situation: 'it is set aside already', hosts: [failedIn('set_aside')], setAside: [] },
    { situation: 'the cloud does not list it, and it waits', hosts: [unlistedIn('waiting')], setAside: ['h-1'] },
    { situation: 'the cloud does not list it, and it is drained', hosts: [unlistedIn('emptying')], setAside: ['h-1'] },
    { situation: 'the cloud does not list it in maintenance', hosts: [unlistedIn('maintaining')], setAside: [] },
    { situation: 'the cloud does not list it, and it is done', hosts: [unlistedIn('maintained')], setAside: [] },
    { situation: 'too many failed', hosts: [failedIn('failed'), failedIn('failed', 'h-2')], setAside: [] },
  ])('sets $setAside aside where $situation', ({ hosts, setAside }) => {
    expect(hostsToSetAside(hosts, 1).map(({ hostname }) => hostname)).toEqual(setAside);
  });

  it.each([
    { situation: 'none failed before', before: [], most: 1, isSetAside: true },
    { situation: 'as many failed before as may', before: [failedIn('set_aside', 'h-9')], most: 1, isSetAside: false },
    { situation: 'none may fail', before: [], most: 0, isSetAside: false },
  ])('a host that cannot be drained is set aside ($isSetAside) where $situation', ({ before, most, isSetAside }) => {
    const failing = [{ hostname: 'h-1', failure: 'host h-1 cannot be drained' }];
    const outcome = ifTheseFail([...before, aHost({})], failing, most);
    const failure = expect.stringContaining('host h-1 cannot be drained') as string;
    expect(outcome).toEqual(isSetAside ? { setAside: failing } : { failure });
  });

  it.each([
    { situation: 'it is to be set aside', most: 1, enables: false, stays: true },
    { situation: 'failed hosts are enabled', most: 1, enables: true, stays: false },
    { situation: 'the session fails with it', most: 0, enables: false, stays: false },
  ])('a host whose drain failed stays disabled ($stays) where $situation', ({ most, enables, stays }) => {
    const rule = { maxFailedHosts: most, enablesFailedHosts: enables };
    expect(staysDisabled([failedIn('releasing')], rule)).toBe(stays);
  });
});
