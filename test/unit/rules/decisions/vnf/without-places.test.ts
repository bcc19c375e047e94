/** Full clouds: who may leave without a place lets a session go on that would ask for capacity. */
import type { Claim, Fleet, Host, Instance } from '../../../../../rules/decisions/fleet/fleet';
import { scaleInNeed } from '../../../../../rules/decisions/scale-in/scale-in-need';
import { stateAfterLook } from '../../../../../rules/decisions/scale-in/when-to-scale-in';
import { decideAllVnf } from '../../../../../rules/steps/decide-all-vnf';
import { aDeparture } from '../../../../builders/a-departure';
import {
  aFleet,
  aGroup,
  aHost,
  aHostIn,
  anInstance,
  aSessionId,
  type InstanceFields,
} from '../../../../builders/a-fleet';
import { decideDefault } from '../../../../builders/decide-default';

const own = { resourceMitigation: false, migrationType: 'OWN_ACTION', leadTimeSeconds: 20 } as const;
const host = (phase: 'waiting' | 'emptying', name: string): Host => aHostIn(phase, name, { vcpus: 8 });
const on = (name: string, id: string, fields: InstanceFields = {}): Instance =>
  anInstance({ id, host: name, leadTimeSeconds: 20, memoryMb: 1024, ...fields });

const fleetOf = (hosts: readonly Host[], instances: readonly Instance[], claims: readonly Claim[] = []): Fleet =>
  aFleet({
    hosts: [...hosts],
    instances: [...instances],
    groups: [aGroup({ maxImpactedMembers: 9 })],
    claims: [...claims],
  });

const viewOf = (fleet: Fleet) =>
  ({ sessionId: aSessionId, state: 'PLANNED_MAINTENANCE', fleet, ready: new Map() }) as const;
const plan = (fleet: Fleet) => decideAllVnf(viewOf(fleet), 0, { defaultImpactShare: 0.25 });

const twoFull = [host('waiting', 'a'), host('waiting', 'b')];
const moved = on('b', 'moved', { vcpus: 8 });

describe('a full cloud', () => {
  it.each<{ situation: string; first: InstanceFields; drain: readonly string[]; next: string | undefined }>([
    { situation: 'is drained where the project deletes first', first: own, drain: ['a'], next: undefined },
    {
      situation: 'asks for capacity where the replacement comes first',
      ...{ first: { ...own, resourceMitigation: true }, drain: [], next: 'SCALE_IN' },
    },
    {
      situation: 'asks for capacity where the service has to move the instance after all',
      ...{ first: { ...own, settledAction: 'LIVE_MIGRATE' }, drain: [], next: 'SCALE_IN' },
    },
    {
      situation: 'asks for capacity where nothing is stored of which comes first',
      ...{ first: { migrationType: 'OWN_ACTION' }, drain: [], next: 'SCALE_IN' },
    },
  ])('$situation, in every workflow, at the beginning and by SCALE_IN', ({ first, drain, next }) => {
    const fleet = fleetOf(twoFull, [on('a', 'first', { vcpus: 8, ...first }), moved]);
    expect(plan(fleet).decision).toMatchObject({ drain, ...(next && { next }) });
    expect(decideDefault(viewOf(fleet), 0, {})).toMatchObject({ drain, ...(next && { next }) });
    expect(stateAfterLook(fleet, aSessionId)).toBe(next ?? 'PREPARE_MAINTENANCE');
    expect(scaleInNeed(fleet, aSessionId) === undefined).toBe(next === undefined);
  });

  it('leaves the capacity to those that need it', () => {
    const hosts = [...twoFull, aHost({ name: 'spare', vcpus: 4 })];
    const instances = [on('a', 'first', { vcpus: 4, ...own }), on('a', 'second', { vcpus: 4 }), moved];
    const { decision } = plan(fleetOf(hosts, instances));
    expect(decision.drain).toEqual(['a']);
    expect(decision.reserve).toEqual(
      expect.arrayContaining([
        { instanceId: 'first', target: '' },
        { instanceId: 'second', target: 'spare' },
      ]),
    );
  });

  it('has an instance asked without a target, as one that its project acts on', () => {
    const instances = [on('a', 'first', { vcpus: 8, ...own }), moved];
    const { decision } = plan(fleetOf([host('emptying', 'a'), host('waiting', 'b')], instances));
    expect(decision.admit).toMatchObject([{ kind: 'ask', instanceId: 'first', target: '', action: 'OWN_ACTION' }]);
  });

  it('gives a host back whose instance needs a place after all', () => {
    const instances = [on('a', 'first', { vcpus: 8, ...own, settledAction: 'LIVE_MIGRATE' }), moved];
    const { decision } = plan(fleetOf([host('emptying', 'a'), host('waiting', 'b')], instances));
    expect(decision.giveBackForDeadlock).toEqual(['a']);
  });

  it.each([
    { situation: 'its project deletes first', resourceMitigation: false },
    { situation: 'the replacement may be what took the place', resourceMitigation: true },
  ])('is admitted by the workflow default, by an own action that its project chose: $situation', (given) => {
    const { resourceMitigation } = given;
    const first = on('a', 'first', { vcpus: 8, ...own, resourceMitigation, settledAction: 'OWN_ACTION' });
    const fleet = fleetOf([host('emptying', 'a'), host('waiting', 'b')], [first, moved]);
    const view = { ...viewOf(fleet), ready: new Map([['first', 'OWN_ACTION']] as const) };
    expect(decideDefault(view, 0, {}).admit).toMatchObject([{ target: '', action: 'OWN_ACTION' }]);
  });
});

describe('where there is capacity', () => {
  const hosts = [host('waiting', 'a'), aHost({ name: 'spare', vcpus: 8 })];
  const target = (first: InstanceFields) =>
    plan(fleetOf(hosts, [on('a', 'first', { vcpus: 8, ...first })])).decision.reserve?.map((place) => place.target);

  it('holds a place for what its project may leave to the service', () => {
    expect(target(own)).toEqual(['spare']);
  });

  it('holds none for what the cloud moves nowhere and its project deletes first', () => {
    expect(target({ ...own, departure: aDeparture({ byProject: 'it is pinned' }) })).toEqual(['']);
    expect(target({ ...own, resourceMitigation: true, departure: aDeparture({ byProject: 'it is pinned' }) })).toEqual([
      'spare',
    ]);
  });
});
