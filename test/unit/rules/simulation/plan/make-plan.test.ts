import type { Claim, Fleet, Host } from '../../../../../rules/decisions/fleet/fleet';
import { nothingSeen } from '../../../../../rules/expectations/expected-times';
import type { Blocker } from '../../../../../rules/obstacles/blockers';
import { makePlan } from '../../../../../rules/simulation/plan/make-plan';
import type { Plan, PlanInput } from '../../../../../rules/simulation/plan/plan';
import { aDeparture } from '../../../../builders/a-departure';
import {
  aController,
  aGroup,
  aHost,
  aHostIn,
  anInstance,
  anotherSessionId,
  aSessionId,
  type HostFields,
  nobodyTold,
} from '../../../../builders/a-fleet';
import { aConstrained, aPlanInput, aSessionInPlan } from '../../../../builders/a-plan-input';

/** The session has two hosts, and a third one is spare. Two instances are on the first; their group lets one be out. */
const smallFleet: Partial<Fleet> = {
  hosts: [aHostIn('waiting', 'old-1'), aHostIn('waiting', 'old-2'), aHost({ name: 'spare' })],
  groups: [aGroup({ maxImpactedMembers: 1, recoveryTimeSeconds: 60 })],
  instances: [aConstrained({ id: 'a', host: 'old-1' }), aConstrained({ id: 'b', host: 'old-1' })],
};

const spansOf = ({ hosts }: Plan) =>
  hosts.map(({ hostname, drain, maintenance }) => [hostname, drain?.fromMs, maintenance?.fromMs, maintenance?.toMs]);

describe('makePlan', () => {
  it('plans a small fleet: answers after 10 s, moves of 30 s, one member of the group at a time', () => {
    const plan = makePlan(aPlanInput(smallFleet));
    // The first answer to MAINTENANCE ends at 10 s; a is asked, moves and recovers (100 s), then b is asked and moves.
    expect(spansOf(plan)).toEqual([
      ['old-1', 10_000, 150_000, 250_000],
      ['old-2', 10_000, 10_000, 110_000],
    ]);
    expect(
      plan.moves.map(({ instanceId, action, source, target, span }) => [instanceId, action, source, target, span]),
    ).toEqual([
      ['a', 'MIGRATE', 'old-1', 'spare', { fromMs: 20_000, toMs: 50_000 }],
      ['b', 'MIGRATE', 'old-1', 'spare', { fromMs: 120_000, toMs: 150_000 }],
    ]);
    expect(plan.groups).toMatchObject([{ members: 2, maxImpactedMembers: 1, mostOut: 1 }]);
    expect(plan.criticalHost?.hostname).toBe('old-1');
    expect(plan.criticalHost?.steps.map(({ kind, toMs, fromMs }) => [kind, toMs - fromMs])).toEqual([
      ['group', 100_000],
      ['answer', 10_000],
      ['move', 30_000],
      ['maintenance', 100_000],
    ]);
    expect(plan.endsAtMs?.expected).toBe(260_000);
    expect(plan.blockers).toEqual([]);
  });

  it('counts with the host that another session gives back when it fails', () => {
    const work = { sessionId: anotherSessionId };
    const hosts = [
      aHostIn('waiting', 'old-1'),
      aHostIn('failed', 'broken', {
        enabled: false,
        work: { ...work, disabled: true, failure: 'host broken: failed' },
      }),
      aHostIn('emptying', 'spare', { work }),
    ];
    const instances = [aConstrained({ id: 'a', host: 'old-1' })];
    const begun = { isBegun: true, state: 'PLANNED_MAINTENANCE' } as const;
    const sessions = [aSessionInPlan(), aSessionInPlan({ ...work, ...begun })];
    const { moves, endsAtMs } = makePlan(aPlanInput({ hosts, instances }, { sessions }));
    expect(moves).toMatchObject([{ instanceId: 'a', target: 'spare' }]);
    expect(endsAtMs).toBeDefined();
  });

  it('gives a range: managers that answer at once, and managers that never do', () => {
    const { endsAtMs } = makePlan(aPlanInput(smallFleet));
    expect(endsAtMs!.earliest).toBeLessThan(endsAtMs!.expected);
    expect(endsAtMs!.latest).toBeGreaterThan(endsAtMs!.expected);
  });

  it.each([
    { who: 'the cloud tells', told: { maintenanceSeconds: 100 }, range: [85_000, 100_000, 115_000] },
    { who: 'nobody tells', told: {}, range: [50_000, 100_000, 200_000] },
  ])('gives a range by how sure the time of a maintenance is that $who', ({ told, range }) => {
    const cloudHosts = [{ name: 'old-1', enabled: true, isUp: true, ...told }];
    const hosts = [{ ...aHostIn('waiting', 'old-1'), expectedMaintenanceSeconds: 100 }];
    const sessions = [aSessionInPlan({ actions: [{ type: 'host' }] })];
    const { endsAtMs } = makePlan(aPlanInput({ hosts }, { cloudHosts, sessions }));
    expect([endsAtMs?.earliest, endsAtMs?.expected, endsAtMs?.latest]).toEqual(range);
  });

  it('goes by what was seen of moves and answers', () => {
    const projectId = 'project-1';
    const seen = {
      maintenances: [],
      moves: [{ projectId, action: 'MIGRATE' as const, seconds: 5 }],
      answers: [{ projectId, seconds: 2, silentShare: 0 }],
    };
    const plan = makePlan(aPlanInput(smallFleet, { seen }));
    expect(plan.moves.map(({ span }) => span.toMs - span.fromMs)).toEqual([5_000, 5_000]);
    expect(plan.questions[0]).toMatchObject({ state: 'MAINTENANCE', projectId, isAnswered: true });
    expect(plan.beginsAtMs).toBe(2_000);
  });

  it('goes on from claims under way: what has moved for 20 s ends 10 s later', () => {
    const [a, b] = smallFleet.instances!;
    const claim: Claim = {
      ...{ id: 'a', sessionId: aSessionId, instanceId: 'a', groupKey: a!.groupKey, phase: 'moving' as const },
      ...{ source: 'old-1', target: 'spare', action: 'MIGRATE' as const, amounts: a!.amounts },
    };
    const hosts = [aHostIn('emptying', 'old-1'), aHost({ name: 'spare' })];
    const input = aPlanInput({ ...smallFleet, hosts, instances: [a!, b!], claims: [claim] });
    const session = { ...input.sessions[0]!, state: 'PLANNED_MAINTENANCE' as const, isBegun: true };
    const plan = makePlan({ ...input, sessions: [session], claimedAtMs: new Map([['a', -20_000]]) });
    expect(plan.moves[0]).toMatchObject({ instanceId: 'a', span: { fromMs: -20_000, toMs: 10_000 } });
    expect(plan.endsAtMs?.expected).toBe(10_000 + 60_000 + 10_000 + 30_000 + 100_000 + 10_000);
  });
});

interface Case {
  readonly kind: Blocker['kind'];
  readonly situation: string;
  readonly input: PlanInput;
  readonly blocker: Partial<Blocker>;
}

const old = (fields: HostFields = {}): Host => aHostIn('waiting', 'old', fields);
const spare = aHost({ name: 'spare' });
const suspended = { because: 'it is SUSPENDED', owner: 'project', help: 'let its project resume it' } as const;
const suspendedNow = aDeparture({ held: suspended });
const big = aConstrained({ id: 'big', host: 'old', vcpus: 12 });

const cases: readonly Case[] = [
  {
    kind: 'no_capacity',
    situation: 'the cloud is too full',
    input: aPlanInput({
      hosts: [old(), spare],
      instances: [big, aConstrained({ id: 'other', host: 'spare', vcpus: 8 })],
    }),
    blocker: { severity: 'stops', owner: 'operator', missing: { amounts: { VCPU: 4 }, wanted: [], onHosts: 1 } },
  },
  {
    kind: 'host_cannot_be_drained',
    situation: 'an instance of the host has no target',
    input: aPlanInput({
      hosts: [old(), spare],
      instances: [big, aConstrained({ id: 'other', host: 'spare', vcpus: 8 })],
    }),
    blocker: { severity: 'stops', when: 'later', subject: { kind: 'host', id: 'old', name: 'old' } },
  },
  {
    kind: 'host_cannot_be_drained',
    situation: 'members of a group do not serve that should by now',
    input: aPlanInput({
      hosts: [old(), aHostIn('waiting', 'held'), spare],
      instances: [aConstrained({ id: 'web', host: 'old' }), { ...big, host: 'held', departure: suspendedNow }],
      groups: [aGroup({ membersAway: 1, overdue: { count: 1, because: 'pod web-1 is not Ready' } })],
    }),
    blocker: {
      ...{ owner: 'project', projectId: 'project-1', subject: { kind: 'host', id: 'old', name: 'old' } },
      because:
        'host old cannot be drained: pod web-1 is not Ready: no further member of name of group-1 is moved before',
    },
  },
  {
    kind: 'instance_without_place',
    situation: 'no other host is large enough',
    input: aPlanInput({ hosts: [old(), aHost({ name: 'spare', vcpus: 8 })], instances: [big] }),
    blocker: { severity: 'stops', when: 'now', subject: { kind: 'instance', id: 'big', name: 'name of big' } },
  },
  {
    kind: 'instance_held_by_state',
    situation: 'nobody moves an instance in its state',
    input: aPlanInput({ hosts: [old(), spare], instances: [{ ...big, departure: aDeparture({ held: suspended }) }] }),
    blocker: { severity: 'stops', when: 'now', owner: 'project', projectId: 'project-1' },
  },
  {
    kind: 'instance_cannot_be_moved',
    situation: 'the cloud moves an instance nowhere',
    input: aPlanInput({
      hosts: [old(), spare],
      instances: [{ ...big, departure: aDeparture({ byProject: 'it has an accelerator' }) }],
    }),
    blocker: { owner: 'project', projectId: 'project-1' },
  },
  {
    kind: 'group_never_met',
    situation: 'a group has as many members as there are hosts',
    input: aPlanInput({
      hosts: [old(), spare],
      groups: [aGroup({ maxInstancesPerHost: 1 })],
      instances: [aConstrained({ id: 'a', host: 'old' }), aConstrained({ id: 'b', host: 'spare' })],
    }),
    blocker: { severity: 'stops', owner: 'project', projectId: 'project-1' },
  },
  {
    kind: 'constraints_not_readable',
    situation: 'a project told the cloud limits that nobody can read',
    input: aPlanInput({
      hosts: [old(), spare],
      groups: [aGroup({ fault: "shop/web: annotation ask is 'maybe'" })],
      instances: [aConstrained({ id: 'a', host: 'old' })],
    }),
    blocker: { severity: 'note', owner: 'project', projectId: 'project-1' },
  },
  {
    kind: 'project_without_constraints',
    situation: 'a project has stored none',
    input: aPlanInput({
      hosts: [old(), spare],
      groups: [aGroup({ keptBy: nobodyTold })],
      instances: [anInstance({ host: 'old' })],
    }),
    blocker: { severity: 'note', owner: 'project', subject: { kind: 'project', id: 'project-1', name: 'project-1' } },
  },
  {
    kind: 'project_silent',
    situation: 'a project left its last questions without an answer',
    input: aPlanInput(
      { hosts: [old(), spare], instances: [big] },
      { seen: { ...nothingSeen, answers: [{ projectId: 'project-1', seconds: undefined, silentShare: 1 }] } },
    ),
    blocker: { severity: 'delays', owner: 'project' },
  },
  {
    kind: 'host_disabled',
    situation: 'somebody has disabled the host already',
    input: aPlanInput(
      { hosts: [old({ enabled: false, work: { disabledBefore: true } } as HostFields), spare] },
      { cloudHosts: [{ name: 'old', enabled: false, isUp: true, disabledReason: 'broken fan' }] },
    ),
    blocker: { severity: 'note', owner: 'operator', because: expect.stringContaining('broken fan') as string },
  },
  {
    kind: 'host_down',
    situation: 'the host does not answer',
    input: aPlanInput(
      { hosts: [old({ enabled: false }), spare], instances: [big] },
      { cloudHosts: [{ name: 'old', enabled: true, isUp: false }] },
    ),
    blocker: { severity: 'stops', owner: 'operator' },
  },
  {
    kind: 'target_down',
    situation: 'the only host outside of the session that could take an instance is down',
    input: aPlanInput({
      hosts: [old(), { ...spare, enabled: false, isDown: true }, aHost({ name: 'small', vcpus: 4 })],
      instances: [big],
    }),
    blocker: { severity: 'delays', owner: 'operator', subject: { kind: 'host', id: 'spare', name: 'spare' } },
  },
  {
    kind: 'controller_left_out',
    situation: 'another session left a controller disabled',
    input: aPlanInput({
      hosts: [
        aController('waiting', 'controller-1'),
        {
          ...aController('failed', 'controller-2'),
          enabled: false,
          work: { ...aController('failed', 'controller-2').work!, sessionId: 'another', disabled: true },
        },
      ],
    }),
    blocker: {
      ...{ severity: 'stops', owner: 'admin' },
      because:
        'controllers are maintained one at a time: host controller-1 cannot be while host controller-2 is left disabled, ' +
        'which session another did not finish',
    },
  },
];

describe('what stands in the way', () => {
  it.each([
    { kind: 'instance_held_by_state', instance: { ...big, departure: suspendedNow } },
    { kind: 'instance_without_place', instance: { ...big, amounts: { VCPU: 99 } } },
  ])('is told once where a host cannot be drained because of it: $kind', ({ kind, instance }) => {
    const { blockers, endsAtMs } = makePlan(aPlanInput({ hosts: [old(), spare], instances: [instance] }));
    expect(endsAtMs).toBeUndefined();
    expect(blockers.filter(({ severity }) => severity === 'stops').map((one) => one.kind)).toEqual([kind]);
  });

  it.each(cases)('$kind where $situation', ({ kind, input, blocker }) => {
    const found = makePlan(input).blockers.find((one) => one.kind === kind);
    expect(found).toMatchObject(blocker);
    expect(found?.because).not.toBe('');
    expect(found?.help).not.toBe('');
  });

  it('is nothing where all goes well', () => {
    expect(makePlan(aPlanInput({ hosts: [old(), spare], instances: [big] })).blockers).toEqual([]);
  });

  it('stops the plan where the session could not end', () => {
    const instances = [big, aConstrained({ id: 'other', host: 'spare', vcpus: 8 })];
    const plan = makePlan(aPlanInput({ hosts: [old(), spare], instances }));
    expect(plan.endsAtMs).toBeUndefined();
    expect(plan.stopsAtMs).toBe(10_000);
  });
});
