import type { Fleet } from '../../../../../rules/decisions/fleet/fleet';
import { FleetModel } from '../../../../../rules/decisions/model/fleet-model';
import { mayLeaveBeside } from '../../../../../rules/decisions/vnf/leave-beside';
import { startDraining } from '../../../../../rules/decisions/vnf/start-draining';
import { aDeparture } from '../../../../builders/a-departure';
import {
  aClaim,
  aFleet,
  aGroup,
  aHost,
  aHostIn,
  anInstance,
  aSessionId,
  type InstanceFields,
} from '../../../../builders/a-fleet';

const on = (host: string, fields: InstanceFields = {}) =>
  anInstance({
    id: `on-${host}`,
    host,
    defaultAction: 'EVICTION',
    departure: aDeparture({ place: { kind: 'elsewhereOrBack' } }),
    ...fields,
  });

/** Host a is in maintenance, and its member is gone until it is back. */
const away = aClaim({ instanceId: 'on-a', source: 'a', target: '', phase: 'recovering', action: 'EVICTION' });
const twoAtOnce = [aGroup({ maxImpactedMembers: 2 })];

it.each<Partial<Fleet> & { situation: string; may: boolean; reserved?: string }>([
  { situation: 'its limit lets both be away', groups: twoAtOnce, claims: [away], may: true },
  { situation: 'its limit lets one be away', claims: [away], may: false },
  { situation: 'another one is to leave as well', groups: twoAtOnce, claims: [away], reserved: 'on-c', may: false },
  { situation: 'the host that is out would take it', groups: twoAtOnce, claims: [], may: false },
  {
    situation: 'the host that is out would take it, and the member that recovers is back',
    ...{ groups: twoAtOnce, claims: [{ ...away, instanceId: 'on-c', source: 'c' }], may: false },
  },
  {
    situation: 'a host has several members',
    ...{ groups: twoAtOnce, claims: [away], may: false },
    instances: [on('b'), on('c'), on('c', { id: 'second' })],
  },
  {
    situation: 'it would not come back with its host',
    ...{ groups: twoAtOnce, claims: [away], may: false },
    instances: [anInstance({ id: 'on-b', host: 'b' }), on('c')],
  },
])('an instance leaves without a place beside another host: $may, where $situation', ({ may, reserved, ...fleet }) => {
  const hosts = [aHostIn('maintaining', 'a'), aHostIn('waiting', 'b'), aHostIn('waiting', 'c')];
  const model = new FleetModel(aFleet({ hosts, instances: [on('b'), on('c')], ...fleet }));
  const leaving = model.instancesOn('b');
  const before = reserved === undefined ? [] : [{ instanceId: reserved, target: '' }];
  expect(mayLeaveBeside(model, { leaving, instances: leaving, reserved: before })).toBe(may);
});

it('starts a further host as soon as a member has recovered, in a plan as on a fresh look', () => {
  const hosts = [aHostIn('maintaining', 'a'), aHostIn('waiting', 'b'), aHost({ name: 'back' })];
  const groups = [aGroup({ maxImpactedMembers: 2, maxInstancesPerHost: 1 })];
  const recovering = aClaim({ instanceId: 'on-back', source: 'back', target: '', phase: 'recovering' });
  const model = new FleetModel(aFleet({ hosts, groups, instances: [on('b'), on('back')], claims: [away, recovering] }));
  const limits = { defaultImpactShare: 0.25 };
  const session = { sessionId: aSessionId, state: 'PLANNED_MAINTENANCE', nowMs: 0, drainOrder: ['b'], limits } as const;
  const startNow = (now: FleetModel) => startDraining({ ...session, model: now }).drain;
  expect(startNow(model)).toEqual([]);
  model.removeClaim('on-back');
  expect(startNow(new FleetModel(model.snapshot()))).toEqual(['b']);
  expect(startNow(model)).toEqual(['b']);
});
