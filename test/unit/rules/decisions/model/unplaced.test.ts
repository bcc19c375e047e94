import { choicesOf } from '../../../../../rules/decisions/both-workflows/built-in-workflow';
import { fleetOfSession } from '../../../../../rules/decisions/both-workflows/fleet-of-session';
import { decideAllVnf } from '../../../../../rules/steps/decide-all-vnf';
import {
  aFleet,
  aGroup,
  aHost,
  aHostIn,
  anInstance,
  aSessionId,
  type InstanceFields,
} from '../../../../builders/a-fleet';

const k8s = { workflow: 'k8s', rolling: null };
const unplaced = 'pod shop/web-7 finds no node (Unschedulable: 0/3 nodes are available: 3 Insufficient cpu)';

/** A member of `web`, elsewhere, has been moved and finds no place. */
const decide = (onHost: InstanceFields, group = {}, phase: 'waiting' | 'emptying' = 'waiting') => {
  const fleet = aFleet({
    hosts: [aHostIn(phase, 'node-1'), aHost({ name: 'spare', amounts: { vcpus: 64 } })],
    instances: [
      anInstance({ id: 'web-1', host: 'spare', groupKey: 'web', defaultAction: 'EVICTION', needs: 'zone a' }),
      anInstance({ id: 'here', host: 'node-1', defaultAction: 'EVICTION', needs: 'zone b', ...onHost }),
    ],
    groups: [aGroup({ key: 'web', maxImpactedMembers: 5, unplaced, ...group }), aGroup({ key: 'other' })],
  });
  const view = { sessionId: aSessionId, state: 'PLANNED_MAINTENANCE', drainOrder: undefined } as const;
  const limits = { defaultImpactShare: 0.25, ...choicesOf(k8s) };
  return decideAllVnf({ ...view, fleet: fleetOfSession(k8s, fleet) }, 0, limits).decision;
};

it.each<{ situation: string; onHost: InstanceFields; group?: object; begun: string[] }>([
  { situation: 'one of the same workload is on it', onHost: { groupKey: 'web' }, begun: [] },
  { situation: 'one of the same class is on it', onHost: { groupKey: 'other', needs: 'zone a' }, begun: [] },
  { situation: 'others are on it', onHost: { groupKey: 'other' }, begun: ['node-1'] },
  {
    situation: 'its workload has a member on each host, which comes back with it',
    ...{ onHost: { groupKey: 'web' }, group: { maxInstancesPerHost: 1 }, begun: ['node-1'] },
  },
])('while a moved instance finds no place, a host is begun: $begun, where $situation', ({ onHost, group, begun }) => {
  expect(decide(onHost, group).drain).toEqual(begun);
});

it('the host waits in the words of the cloud, and nobody is asked to scale in', () => {
  const { next, waiting } = decide({ groupKey: 'web' });
  expect(next).toBeUndefined();
  expect(waiting).toMatchObject([{ waitingFor: 'room', who: 'node-1', because: unplaced }]);
});

it('a host in hand goes on', () => {
  expect(decide({ groupKey: 'web' }, {}, 'emptying').admit).toMatchObject([{ instanceId: 'here' }]);
});
