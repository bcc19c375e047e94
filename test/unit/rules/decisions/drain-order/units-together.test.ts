import { choicesOf } from '../../../../../rules/decisions/both-workflows/built-in-workflow';
import type { Host } from '../../../../../rules/decisions/fleet/fleet';
import { decideAllVnf } from '../../../../../rules/steps/decide-all-vnf';
import { aFleet, aGroup, aHost, aHostIn, anInstance, aSessionId } from '../../../../builders/a-fleet';

const memberOn = (host: string, groupKey: string) =>
  anInstance({ id: `on-${host}`, host, groupKey, defaultAction: 'EVICTION', leadTimeSeconds: 0 });
const instances = [memberOn('a', 'gang'), memberOn('b', 'web'), memberOn('c', 'gang')];

const decide = (hosts: readonly Host[], isOneUnit: boolean) => {
  const gang = aGroup({
    key: 'gang',
    maxImpactedMembers: 2,
    ...(isOneUnit && { keptBy: { kind: 'service', limit: 'unit' } }),
  });
  const fleet = aFleet({
    hosts: [...hosts, aHost({ name: 'spare' })],
    instances,
    groups: [gang, aGroup({ key: 'web', maxImpactedMembers: 2 })],
  });
  const view = { sessionId: aSessionId, state: 'PLANNED_MAINTENANCE', fleet, drainOrder: undefined } as const;
  const choices = choicesOf({ workflow: 'k8s', rolling: null });
  return decideAllVnf(view, 0, { defaultImpactShare: 0.25, maxParallelHosts: 2, ...choices }).decision;
};

const waiting = ['a', 'b', 'c'].map((name) => aHostIn('waiting', name));

it.each([
  { isOneUnit: false, drained: ['a', 'b'] },
  { isOneUnit: true, drained: ['a', 'c'] },
])('hosts with members of one unit ($isOneUnit) begin together: $drained', ({ isOneUnit, drained }) => {
  expect(decide(waiting, isOneUnit).drain).toEqual(drained);
});

it('a host is begun before others where another one with members of its unit is under work', () => {
  const { drain, admit } = decide([aHostIn('emptying', 'a'), ...waiting.slice(1)], true);
  expect(drain).toEqual(['c']);
  expect(admit.map(({ instanceId }) => instanceId)).toEqual(['on-a']);
});

it('all members on hosts under work leave at once', () => {
  const under = [aHostIn('emptying', 'a'), aHostIn('waiting', 'b'), aHostIn('emptying', 'c')];
  expect(decide(under, true).admit.map(({ instanceId }) => instanceId)).toEqual(['on-a', 'on-c']);
});
