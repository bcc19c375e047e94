/** The order of `k8s`, where members of a group that is kept apart have few places. */
import { fewestFirst } from '../../../../../rules/decisions/drain-order/fewest-first';
import type { Host } from '../../../../../rules/decisions/fleet/fleet';
import { FleetModel } from '../../../../../rules/decisions/model/fleet-model';
import { aFleet, aGroup, aHost, aHostIn, anInstance, aSessionId } from '../../../../builders/a-fleet';

const names = ['a', 'b', 'c', 'd'];
const store = aGroup({ key: 'store', maxImpactedMembers: 1, maxInstancesPerHost: 1 });
/** On Kubernetes the group of a pod is its budget, and what keeps it apart is a further limit. */
const budget = aGroup({ key: 'budget of store', maxImpactedMembers: 1 });
const web = aGroup({ key: 'web', maxImpactedMembers: 1 });

const limitedAsStore = { groupKey: budget.key, furtherLimitKeys: [store.key] };

/** Each host has a `web`; all but `d`, which has more others, have one `store`. */
const instances = [
  ...names.map((host) => anInstance({ id: `web on ${host}`, host, groupKey: 'web', expectedMoveSeconds: 5 })),
  ...names
    .slice(0, 3)
    .map((host) => anInstance({ id: `store on ${host}`, host, ...limitedAsStore, expectedMoveSeconds: 30 })),
  ...['batch', 'scratch'].map((id) => anInstance({ id, host: 'd', groupKey: 'free' })),
];

const orderOf = (hosts: readonly Host[], more: { readonly instances?: typeof instances } = {}): string => {
  const free = aGroup({ key: 'free', maxImpactedMembers: Infinity });
  const model = new FleetModel(aFleet({ hosts, instances, groups: [store, budget, web, free], ...more }), 0);
  const facts = {
    sessionId: aSessionId,
    state: 'PLANNED_MAINTENANCE',
    model,
    nowMs: 0,
    limits: { defaultImpactShare: 0 },
  };
  const waiting = hosts.filter(({ work }) => work?.phase === 'waiting');
  return fewestFirst(facts as Parameters<typeof fewestFirst>[0], waiting)
    .map(({ name }) => name)
    .join(' ');
};

const waitingHosts = names.map((name) => aHostIn('waiting', name));
const d = 3;

describe('hosts from which the fewest instances move', () => {
  it.each([
    { situation: 'members could only go to a host that comes later', hosts: waitingHosts, order: 'd a b c' },
    {
      situation: 'another host takes them',
      hosts: [...waitingHosts, aHost({ name: 'spare' })],
      order: 'a b c d',
    },
    {
      situation: 'the host that takes them is about to come back',
      hosts: waitingHosts.with(d, aHostIn('maintaining', 'd')),
      order: 'a b c',
    },
    {
      situation: 'no host takes them, as they come back with their own',
      hosts: waitingHosts.slice(0, d),
      order: 'a b c',
    },
  ])('come first where $situation', ({ hosts, order }) => {
    const there = new Set(hosts.map(({ name }) => name));
    expect(orderOf(hosts, { instances: instances.filter(({ host }) => there.has(host)) })).toBe(order);
  });

  it('come after those whose members are back sooner, where as many move', () => {
    const slow = anInstance({ id: 'slow', host: 'a', groupKey: 'web', expectedMoveSeconds: 90 });
    const quick = anInstance({ id: 'quick', host: 'b', groupKey: 'web', expectedMoveSeconds: 5 });
    expect(orderOf(waitingHosts.slice(0, 2), { instances: [slow, quick] })).toBe('b a');
  });
});
