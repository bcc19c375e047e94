import type { Fleet } from '../../../../../rules/decisions/fleet/fleet';
import { FleetModel } from '../../../../../rules/decisions/model/fleet-model';
import { mayLeaveBeside } from '../../../../../rules/decisions/vnf/leave-beside';
import { aClaim, aFleet, aGroup, aHostIn, anInstance, type InstanceFields } from '../../../../builders/a-fleet';

const on = (host: string, fields: InstanceFields = {}) =>
  anInstance({ id: `on-${host}`, host, defaultAction: 'EVICTION', comesBackWithHost: true, ...fields });

/** Host a is in maintenance, and its member is gone until it is back. */
const away = aClaim({ instanceId: 'on-a', source: 'a', target: '', phase: 'recovering', action: 'EVICTION' });
const twoAtOnce = [aGroup({ maxImpactedMembers: 2 })];

it.each<Partial<Fleet> & { situation: string; may: boolean; reserved?: string }>([
  { situation: 'its limit lets both be away', groups: twoAtOnce, claims: [away], may: true },
  { situation: 'its limit lets one be away', claims: [away], may: false },
  { situation: 'another one is to leave as well', groups: twoAtOnce, claims: [away], reserved: 'on-c', may: false },
  { situation: 'the host that is out would take it', groups: twoAtOnce, claims: [], may: false },
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
