import { choicesOf } from '../../../../../rules/decisions/both-workflows/built-in-workflow';
import type { Host } from '../../../../../rules/decisions/fleet/fleet';
import { decideAllVnf } from '../../../../../rules/steps/decide-all-vnf';
import { aFleet, aGroup, aHost, aHostIn, anInstance, aSessionId } from '../../../../builders/a-fleet';

const names = Array.from({ length: 10 }, (_, at) => `node-${String(at)}`);
const drainedBy = (workflow: 'k8s' | 'vnf', maxImpactedMembers: number, others: readonly Host[] = []) => {
  const fleet = aFleet({
    hosts: [...names.map((name) => aHostIn('waiting', name, { vcpus: 64 })), ...others],
    instances: names.map((host) =>
      anInstance({ id: `on-${host}`, host, vcpus: 1, memoryMb: 1, leadTimeSeconds: 0, defaultAction: 'EVICTION' }),
    ),
    groups: [aGroup({ maxImpactedMembers })],
  });
  const view = { sessionId: aSessionId, state: 'PLANNED_MAINTENANCE', drainOrder: undefined, fleet } as const;
  const limits = { defaultImpactShare: 0.25, ...choicesOf({ workflow, rolling: null }) };
  return decideAllVnf(view, 0, limits).decision.drain.length;
};
const spare = aHost({ name: 'spare', vcpus: 64 });

it.each([
  { situation: 'all instances go to hosts that are drained later', limit: 10, others: [], drained: 1 },
  { situation: 'another host takes them', limit: 10, others: [spare], drained: 10 },
  { situation: 'another host takes them, and their limit lets three go', limit: 3, others: [spare], drained: 3 },
])('k8s drains $drained of ten hosts at once where $situation', ({ limit, others, drained }) => {
  expect(drainedBy('k8s', limit, others)).toBe(drained);
});

it('vnf, which chooses the places, drains as many as fit', () => {
  expect(drainedBy('vnf', 3)).toBeGreaterThan(1);
});
