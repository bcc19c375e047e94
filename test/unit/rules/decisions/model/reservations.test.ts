/** Capacity that a session of `vnf` has reserved: nobody else may plan with it, whatever it is planned for. */
import type { Fleet, Host } from '../../../../../rules/decisions/fleet/fleet';
import { FleetModel } from '../../../../../rules/decisions/model/fleet-model';
import { scaleInNeed } from '../../../../../rules/decisions/scale-in/scale-in-need';
import { stateAfterLook } from '../../../../../rules/decisions/scale-in/when-to-scale-in';
import {
  aFleet,
  aHost,
  aHostIn,
  anInstance,
  anotherSessionId,
  aSessionId,
  type HostFields,
  type InstanceFields,
} from '../../../../builders/a-fleet';
import { decideDefault } from '../../../../builders/decide-default';
import { vnfDecision } from '../../../../builders/vnf-decision';

/** Our host a is to be drained onto spare; so is another session's host, whose instance has its place there. */
const theirs = aHostIn('emptying', 'theirs', { work: { sessionId: anotherSessionId } });
const reserving = anInstance({ id: 'reserving', host: 'theirs', vcpus: 12, leadTimeSeconds: 20 });
const fleetOf = (host: Host, given: { instance?: InstanceFields; spare?: HostFields } = {}): Fleet =>
  aFleet({
    hosts: [aHostIn('waiting', 'a'), host, aHost({ name: 'spare', ...given.spare })],
    instances: [
      anInstance({ id: 'ours', host: 'a', vcpus: 8, leadTimeSeconds: 0 }),
      anInstance({ ...reserving, ...given.instance }),
    ],
    reservations: [{ instanceId: 'reserving', target: 'spare' }],
  });

const openedIn = (fleet: Fleet) => {
  const view = { sessionId: aSessionId, state: 'PLANNED_MAINTENANCE', fleet, ready: new Map() } as const;
  const limits = { maxFailedHosts: 0, defaultImpactShare: 0.25 };
  return { default: decideDefault(view, 0, limits).drain, vnf: vnfDecision(view, 0, limits).drain };
};

it('is left alone by sessions of every workflow, by the choice of how to begin, and by SCALE_IN', () => {
  const fleet = fleetOf(theirs);
  expect(openedIn(fleet)).toEqual({ default: [], vnf: [] });
  expect(stateAfterLook(fleet, aSessionId)).toBe('SCALE_IN');
  expect(scaleInNeed(fleet, aSessionId)).toMatchObject({ host: 'a', missing: { VCPU: 4 } });
});

it('holds where none is needed, as long as that is so', () => {
  const held = (reserving: InstanceFields): readonly string[] => {
    const fleet = fleetOf(theirs, { instance: reserving });
    const model = new FleetModel({ ...fleet, reservations: [{ instanceId: 'reserving', target: '' }] });
    return [...model.reservedTarget.keys()];
  };
  const deleted = { resourceMitigation: false, migrationType: 'OWN_ACTION' } as const;
  expect(held(deleted)).toEqual(['reserving']);
  expect(held({ ...deleted, settledAction: 'MIGRATE' })).toEqual([]);
});

it.each([
  { situation: 'its host was given back', fleet: fleetOf({ ...theirs, work: { ...theirs.work!, phase: 'waiting' } }) },
  { situation: 'its instance is elsewhere', fleet: fleetOf(theirs, { instance: { host: 'a', vcpus: 1 } }) },
])('holds no more where $situation', ({ fleet }) => {
  expect(stateAfterLook(fleet, aSessionId)).toBe('PREPARE_MAINTENANCE');
  expect(scaleInNeed(fleet, aSessionId)).toBeUndefined();
});
