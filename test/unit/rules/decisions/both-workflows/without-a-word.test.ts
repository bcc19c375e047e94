import { whyHeld } from '../../../../../rules/cloud/departure';
import { choicesOf } from '../../../../../rules/decisions/both-workflows/built-in-workflow';
import { fleetOfSession } from '../../../../../rules/decisions/both-workflows/fleet-of-session';
import { makePlan } from '../../../../../rules/simulation/plan/make-plan';
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
} from '../../../../builders/a-fleet';
import { aPlanInput, aSessionInPlan } from '../../../../builders/a-plan-input';

const k8s = { workflow: 'k8s', rolling: null };
const bare = 'no controller makes this pod again';
const leftToProject = { departure: aDeparture({ byProject: bare }) };
const stored = { migrationType: 'EVICTION', leadTimeSeconds: 30 } as const;

const seen = (fields: InstanceFields, session = k8s) =>
  fleetOfSession(session, { groups: [], instances: [anInstance({ defaultAction: 'EVICTION', ...fields })] })
    .instances[0]!;

it.each<{ whose: string; fields: InstanceFields; becomes: InstanceFields }>([
  { whose: 'that stored nothing', fields: {}, becomes: { leadTimeSeconds: 0, isQuiet: true } },
  { whose: 'that stored constraints', fields: stored, becomes: stored },
  { whose: 'that told the cloud to be asked', fields: { wantsQuestions: true }, becomes: { wantsQuestions: true } },
])('an instance of a project $whose is asked only where that is wanted', ({ fields, becomes }) => {
  expect(seen(fields)).toEqual(anInstance({ defaultAction: 'EVICTION', ...becomes }));
});

it('an instance that the cloud does not move is held where nobody is asked who could act', () => {
  expect(whyHeld(seen(leftToProject))).toMatchObject({ because: bare, owner: 'project' });
  expect(whyHeld(seen({ ...stored, ...leftToProject }))).toBeUndefined();
  expect(whyHeld(seen(leftToProject, { workflow: 'vnf', rolling: null }))).toBeUndefined();
});

describe('a session of k8s', () => {
  const decide = (instances: readonly InstanceFields[], spare = aHost({ name: 'spare' })) => {
    const hosts = ['node-1', 'node-2'].map((name) => aHostIn('emptying', name));
    const fleet = aFleet({
      hosts: [...hosts, spare],
      groups: [aGroup({ maxImpactedMembers: 2 })],
      instances: instances.map((fields, at) => anInstance({ id: `i-${at}`, defaultAction: 'EVICTION', ...fields })),
    });
    const view = { sessionId: aSessionId, state: 'PLANNED_MAINTENANCE', fleet: fleetOfSession(k8s, fleet) } as const;
    const limits = { defaultImpactShare: 0.25, ...choicesOf(k8s) };
    return decideAllVnf({ ...view, drainOrder: undefined }, 0, limits).decision;
  };

  it('moves as many members of a group at once as its limit lets go, on several hosts, and asks nobody', () => {
    const { admit } = decide([{ host: 'node-1' }, { host: 'node-2' }, { host: 'node-2' }]);
    expect(admit.map(({ kind, action }) => ({ kind, action }))).toEqual([
      { kind: 'move', action: 'EVICTION' },
      { kind: 'move', action: 'EVICTION' },
    ]);
  });

  it('asks about instances whose projects want it', () => {
    const { admit } = decide([{ host: 'node-1', ...stored }, { host: 'node-2' }]);
    expect(admit.map(({ kind }) => kind)).toEqual(['ask', 'move']);
  });
});

describe('an instance that nothing makes again', () => {
  it('needs no place: a full cloud lets it go', () => {
    const hosts = [aHostIn('waiting', 'node-1'), aHost({ name: 'spare', vcpus: 1 })];
    const last = anInstance({
      host: 'node-1',
      defaultAction: 'EVICTION',
      departure: aDeparture({ place: { kind: 'nowhere' } }),
    });
    const fleet = fleetOfSession(k8s, aFleet({ hosts, instances: [last], groups: [aGroup()] }));
    const limits = { defaultImpactShare: 0.25, maxFailedHosts: 0, ...choicesOf(k8s) };
    const plan = makePlan(aPlanInput(fleet, { sessions: [aSessionInPlan({ worksLike: 'k8s', limits })] }));
    expect(plan.blockers).toEqual([]);
    expect(plan.endsAtMs).toBeDefined();
  });
});

describe('an application with a pod on every host', () => {
  const apart = aGroup({ maxInstancesPerHost: 1 });
  const fleetOf = (maintained: 'node-1' | undefined) =>
    aFleet({
      hosts: ['node-1', 'node-2'].map((name) => aHostIn(name === maintained ? 'maintaining' : 'waiting', name)),
      groups: [apart],
      instances: ['node-1', 'node-2']
        .filter((host) => host !== maintained)
        .map((host) => anInstance({ id: `on-${host}`, host, defaultAction: 'EVICTION' })),
    });
  const decide = (fleet: ReturnType<typeof aFleet>) => {
    const view = { sessionId: aSessionId, state: 'PLANNED_MAINTENANCE', fleet: fleetOfSession(k8s, fleet) } as const;
    return decideAllVnf({ ...view, drainOrder: undefined }, 0, { defaultImpactShare: 0.25, ...choicesOf(k8s) });
  };

  it('has one host begun at a time, since its pod comes back only with the host', () => {
    const { drain, reserve } = decide(fleetOf(undefined)).decision;
    expect([drain, reserve?.map(({ target }) => target)]).toEqual([['node-1'], ['']]);
    expect(decide(fleetOf('node-1')).decision.drain).toEqual([]);
  });

  it('has a plan that comes to its end, and notes that its pods are away meanwhile', () => {
    const limits = { defaultImpactShare: 0.25, ...choicesOf(k8s) };
    const sessions = [aSessionInPlan({ worksLike: 'k8s', limits })];
    const { endsAtMs, blockers } = makePlan(aPlanInput(fleetOfSession(k8s, fleetOf(undefined)), { sessions }));
    expect(endsAtMs).toBeDefined();
    expect(blockers.map(({ kind }) => kind)).toEqual(['members_away_with_host']);
  });
});

describe('an application spread over hosts, with two pods on one of them', () => {
  const names = ['node-1', 'node-2', 'node-3'];
  const spread = { key: 'web', name: 'spread over hosts', maxSkew: 1, minParts: 1 };
  const spreads = [{ ...spread, partOf: new Map(names.map((name) => [name, name])) }];
  /** @param others instances that are under no spread */
  const planOf = (pods: readonly string[], limit: number | undefined, others: readonly InstanceFields[] = []) => {
    const all = [
      ...pods.map((host) => ({ host, spreads })),
      ...others.map((fields) => ({ groupKey: 'other', ...fields })),
    ];
    const instances = all.map((fields, at) => anInstance({ id: `i-${at}`, defaultAction: 'EVICTION', ...fields }));
    const hosts = names.map((name) => aHostIn('waiting', name));
    const group = aGroup(limit === undefined ? { keptBy: nobodyTold } : { maxImpactedMembers: limit });
    const fleet = fleetOfSession(k8s, aFleet({ hosts, instances, groups: [group] }));
    const limits = { defaultImpactShare: 0.25, maxFailedHosts: 0, ...choicesOf(k8s) };
    return makePlan(aPlanInput(fleet, { sessions: [aSessionInPlan({ worksLike: 'k8s', limits })] }));
  };
  const four = ['node-1', 'node-1', 'node-2', 'node-3'];
  const six = [...four, 'node-2', 'node-3'];

  it('ends: one of the two goes to another host, and all others come back with theirs', () => {
    const { endsAtMs, moves, blockers } = planOf(four, 1);
    expect(endsAtMs).toBeDefined();
    expect(moves.filter(({ target }) => target === undefined)).toHaveLength(3);
    expect(blockers).toMatchObject([{ kind: 'members_away_with_host', severity: 'note' }]);
    expect(blockers[0]?.because).toContain('no other host may take 3 members of group name of group-1');
  });

  it('ends where nobody told a limit: both of a host are away together', () => {
    const { endsAtMs, hosts } = planOf(six, undefined);
    expect(endsAtMs).toBeDefined();
    expect(hosts.map(({ drain }) => drain && drain.toMs - drain.fromMs)).toEqual([30_000, 30_000, 30_000]);
  });

  it('ends where both of a host may be away at once', () => {
    expect(planOf(six, 2).endsAtMs).toBeDefined();
  });

  it('does not begin where they may not', () => {
    const { endsAtMs, moves, blockers } = planOf(six, 1);
    expect([endsAtMs, moves]).toEqual([undefined, []]);
    expect(blockers.map(({ kind, subject }) => `${kind} ${subject.name}`)).toEqual(
      names.map((name) => `host_cannot_be_drained ${name}`),
    );
    expect(blockers[0]?.because).toContain(
      'its spread over hosts lets it go to no other host; ' +
        'name of group-1 allows 1 member away at a time, but more of its members are on this host and would be away together',
    );
  });

  it('says which group waits, and for what, while another host is out', () => {
    const hosts = [aHostIn('maintaining', 'node-1'), aHostIn('waiting', 'node-2'), aHostIn('waiting', 'node-3')];
    const pods = four.slice(1).map((host, at) => anInstance({ id: `i-${at}`, host, groupKey: 'web', spreads }));
    const fleet = aFleet({ hosts, instances: pods.filter(({ host }) => host !== 'node-1') });
    const view = { sessionId: aSessionId, state: 'PLANNED_MAINTENANCE', fleet, drainOrder: undefined } as const;
    const { waiting } = decideAllVnf(view, 0, { defaultImpactShare: 0.25 }).decision;
    const because = expect.stringMatching(/its spread over hosts lets it go to no other host$/) as string;
    expect(waiting).toMatchObject(
      ['node-2', 'node-3'].map((who) => ({
        ...{ waitingFor: 'affinity', who, because },
        ...{ subject: 'name of web', subjectId: 'ID of web' },
      })),
    );
  });

  it('waits for room where the spread lets it go, and leaves for none', () => {
    const { endsAtMs, moves } = planOf(['node-1', 'node-2'], 2, [{ host: 'node-3', vcpus: 14 }]);
    expect([endsAtMs, moves]).toEqual([undefined, []]);
    expect(planOf(['node-1', 'node-2'], 2, [{ host: 'node-3', vcpus: 12 }]).endsAtMs).toBeDefined();
  });
});

describe('a plan of k8s', () => {
  const planOf = (instances: readonly InstanceFields[], maxFailedHosts = 0) => {
    const hosts = [aHostIn('waiting', 'node-1'), aHostIn('waiting', 'node-2'), aHost({ name: 'spare' })];
    const all = instances.map((fields, at) => anInstance({ id: `i-${at}`, defaultAction: 'EVICTION', ...fields }));
    const fleet = fleetOfSession(k8s, aFleet({ hosts, instances: all, groups: [aGroup({ maxImpactedMembers: 2 })] }));
    const limits = { defaultImpactShare: 0.25, maxFailedHosts, ...choicesOf(k8s) };
    return makePlan(aPlanInput(fleet, { sessions: [aSessionInPlan({ worksLike: 'k8s', limits })] }));
  };

  it('comes to its end without a question where no project wants one', () => {
    const { questions, endsAtMs, blockers } = planOf([{ host: 'node-1' }, { host: 'node-2' }]);
    expect(endsAtMs).toBeDefined();
    expect({ questions, kinds: blockers.map(({ kind }) => kind) }).toEqual({ questions: [], kinds: [] });
  });

  it('names what nobody moves, with what would help, and goes on with the other hosts', () => {
    const stuck = [{ host: 'node-1', ...leftToProject }, { host: 'node-2' }];
    const { blockers, hosts, endsAtMs } = planOf(stuck);
    expect(endsAtMs).toBeUndefined();
    expect(blockers.find(({ kind }) => kind === 'instance_held_by_state')).toMatchObject({
      ...{ severity: 'stops', owner: 'project', subject: { id: 'i-0' } },
      because: expect.stringContaining(bare) as string,
    });
    expect(hosts.find(({ hostname }) => hostname === 'node-2')).toMatchObject({ endsAs: 'maintained' });
    const goesOn = planOf(stuck, 1);
    expect(new Map(goesOn.hosts.map(({ hostname, endsAs }) => [hostname, endsAs]))).toEqual(
      new Map([
        ['node-1', 'set_aside'],
        ['node-2', 'maintained'],
      ]),
    );
  });
});
