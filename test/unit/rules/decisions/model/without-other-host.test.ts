/** Instances that only their own host could take: a disk, a label or a device binds them to it. */
import type { KeepOrDelete } from '../../../../../rules/cloud/eviction';
import { choicesOf } from '../../../../../rules/decisions/both-workflows/built-in-workflow';
import { fleetOfSession } from '../../../../../rules/decisions/both-workflows/fleet-of-session';
import { needsNoPlace } from '../../../../../rules/decisions/fleet/double-allocation';
import type { Fleet, Group } from '../../../../../rules/decisions/fleet/fleet';
import { placedWithoutOtherHost } from '../../../../../rules/decisions/model/without-other-host';
import { makePlan } from '../../../../../rules/simulation/plan/make-plan';
import type { PlanInput, SessionInPlan } from '../../../../../rules/simulation/plan/plan';
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
  nobodyTold,
  ofTheCloud,
} from '../../../../builders/a-fleet';
import { aPlanInput, aSessionInPlan } from '../../../../builders/a-plan-input';

const k8s = { workflow: 'k8s', rolling: null };
const limits = { defaultImpactShare: 0.25, maxFailedHosts: 0, ...choicesOf(k8s) };
const names = ['node-1', 'node-2'] as const;
const hosts = names.map((name) => aHostIn('waiting', name, { offers: name }));
const misfits = names.flatMap((name) =>
  ['', ...names]
    .filter((offers) => offers !== name)
    .map((offers) => ({ needs: `disk of ${name}`, offers, lacks: `the disk of ${name}` })),
);

const without = (ifNone: KeepOrDelete) => ({ departure: aDeparture({ place: { kind: 'elsewhere', ifNone } }) });
const [left, kept] = [without('delete'), without('keep')];

const onEach = (fields: InstanceFields) =>
  names.map((host) =>
    anInstance({ id: `on-${host}`, host, needs: `disk of ${host}`, defaultAction: 'EVICTION', ...fields }),
  );

const fleetOf = (fields: InstanceFields, group: Partial<Group> = {}): Fleet => {
  const all = [...hosts, aHost({ name: 'spare' })];
  return {
    ...aFleet({
      hosts: all,
      instances: onEach(fields).map(placedWithoutOtherHost({ hosts: all, misfits })),
      groups: [aGroup({ maxImpactedMembers: 2, ...group })],
    }),
    misfits,
  };
};

const planOf = (fleet: Fleet, session: Partial<SessionInPlan> = {}, input: Partial<PlanInput> = {}) => {
  const sessions = [aSessionInPlan({ worksLike: 'k8s', limits, ...session })];
  return makePlan(aPlanInput(fleetOfSession(k8s, fleet), { sessions, ...input }));
};

const decide = (fleet: Fleet) => {
  const view = { sessionId: aSessionId, state: 'PLANNED_MAINTENANCE', fleet: fleetOfSession(k8s, fleet) } as const;
  return decideAllVnf({ ...view, drainOrder: undefined }, 0, limits).decision;
};

it.each<{ situation: string; fields: InstanceFields; leaves: boolean }>([
  { situation: 'the session deletes', fields: left, leaves: true },
  { situation: 'the session keeps', fields: kept, leaves: false },
  { situation: 'the cloud keeps in every session', fields: {}, leaves: false },
  { situation: 'another host could take', fields: { ...left, needs: '' }, leaves: false },
])('an instance that $situation needs no place: $leaves', ({ fields, leaves }) => {
  const apart = fleetOf(fields, { maxInstancesPerHost: 1 });
  for (const { instances } of [fleetOf(fields), fleetOfSession(k8s, apart)])
    expect(instances.map(needsNoPlace)).toEqual(instances.map(() => leaves));
});

it('leaves hosts side by side, as its limits allow, and needs no place', () => {
  const { drain, reserve } = decide(fleetOf(left));
  expect(drain).toEqual(names);
  expect(reserve?.map(({ target }) => target)).toEqual(['', '']);
  const plan = planOf(fleetOf(left));
  expect(plan.blockers.map(({ kind, severity }) => [kind, severity])).toEqual([['members_away_with_host', 'note']]);
  expect(plan.endsAtMs).toBeDefined();
});

it.each([
  { situation: 'nobody told a limit', group: { keptBy: nobodyTold }, ends: true },
  { situation: 'its project lets one be away at a time', group: { maxImpactedMembers: 1 }, ends: false },
] as const)('has a plan that ends: $ends, where a host has two and $situation', ({ group, ends }) => {
  const fleet = fleetOf(left, group);
  const [first] = fleet.instances;
  const { endsAtMs } = planOf({ ...fleet, instances: [first!, { ...first!, id: 'second' }] });
  expect(endsAtMs !== undefined).toBe(ends);
});

describe('a host with several, of which the cloud itself lets one go at a time', () => {
  const budget = { maxImpactedMembers: 1, keptBy: ofTheCloud };
  const fleet = fleetOf(left, budget);
  const because =
    'name of group-1 allows 1 member away at a time, but more of its members are on this host and would be away together';

  it('goes last, because the owner of the limit may open it when the first has left; the plan warns of it', () => {
    const instances = [...fleet.instances, { ...fleet.instances[0]!, id: 'second' }];
    expect(decide({ ...fleet, instances }).drain).toEqual(['node-2']);
    const { endsAtMs, moves, blockers } = planOf({ ...fleet, instances });
    expect(endsAtMs).toBeDefined();
    expect(moves.map(({ source }) => source)).toEqual(['node-2', 'node-1', 'node-1']);
    expect(blockers.find(({ kind }) => kind === 'instance_may_be_refused')).toMatchObject({
      subject: { id: 'second' },
      because: expect.stringContaining(because) as string,
    });
    const left = { ...fleet, hosts: hosts.slice(0, 1), instances: instances.filter(({ host }) => host === 'node-1') };
    expect(decide(left).drain).toEqual(['node-1']);
  });

  it('is no matter of order where a program steers the limit', () => {
    const steered = fleetOf(left, { ...budget, keptBy: { kind: 'cloud', isSteered: true } });
    const instances = [...steered.instances, { ...steered.instances[0]!, id: 'second' }];
    expect(planOf({ ...steered, instances }).blockers.map(({ kind }) => kind)).toEqual(['members_away_with_host']);
  });

  it('has one on another host leave only when the first is back, however long that takes', () => {
    const { moves, hosts: planned } = planOf(fleet, { actions: [{ type: 'host', seconds: 1_000 }] });
    const [first, second] = moves;
    const { maintenance } = planned.find(({ hostname }) => hostname === first?.source) ?? {};
    expect(second?.span.fromMs).toBe(maintenance?.toMs);
    expect(maintenance?.toMs).toBeGreaterThan(1_000_000);
  });

  it('is begun where only one of them has no other host', () => {
    const second = anInstance({ id: 'second', host: 'node-1', defaultAction: 'EVICTION' });
    expect(planOf({ ...fleet, instances: [...fleet.instances, second] }).endsAtMs).toBeDefined();
  });
});

it.each([
  { kind: 'any', group: {} },
  { kind: 'one that has a member on each host', group: { maxInstancesPerHost: 1 } },
])('keeps its host where the session keeps it, and says what would help ($kind)', ({ group }) => {
  const { failure } = decide(fleetOf(kept, group));
  expect(failure).toContain('name of on-node-1 (on-node-1)');
  expect(failure).toContain('hosts node-2 and spare lack the disk of node-1');
  expect(failure).toContain('let the session evict it until its host is back (eviction.local_data)');
  const besides = fleetOf(kept, group);
  const under = decide({ ...besides, hosts: [...besides.hosts, aHostIn('maintaining', 'under-work')] });
  expect(under.waiting.filter(({ waitingFor }) => waitingFor === 'room')).toMatchObject(
    names.map((who) => ({ who, because: expect.stringContaining(`name of on-${who} (on-${who})`) as string })),
  );
  const { blockers } = planOf(besides);
  expect(blockers.filter(({ kind }) => kind === 'instance_without_place')).toMatchObject(
    names.map((name) => ({
      subject: { id: `on-${name}` },
      help: expect.stringContaining('eviction.local_data') as string,
    })),
  );
});
