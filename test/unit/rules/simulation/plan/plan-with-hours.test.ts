/** Plans with the hours of owners: hosts wait for them, are drained in parts, or never. */
import type { Fleet } from '../../../../../rules/decisions/fleet/fleet';
import { makePlan } from '../../../../../rules/simulation/plan/make-plan';
import type { Plan, SessionInPlan } from '../../../../../rules/simulation/plan/plan';
import { aGroup, aHost, aHostIn } from '../../../../builders/a-fleet';
import { aConstrained, aPlanInput, aSessionInPlan } from '../../../../builders/a-plan-input';

const minute = 60_000;
type Minutes = readonly (readonly [number, number])[];

/** Instances with the hours of their owners, all on one host, beside a spare one. */
const fleetWith = (owners: Readonly<Record<string, Minutes>>): Partial<Fleet> => ({
  hosts: [aHostIn('waiting', 'old'), aHost({ name: 'spare' })],
  groups: Object.keys(owners).map((key) => aGroup({ key, recoveryTimeSeconds: 0 })),
  instances: Object.entries(owners).map(([id, pairs]) => {
    const hours = pairs.map(([from, to]) => ({ fromMs: from * minute, toMs: to * minute }));
    return aConstrained({ id, groupKey: id, host: 'old', ownerTimes: { hours } });
  }),
});

const planOf = (owners: Readonly<Record<string, Minutes>>, session: Partial<SessionInPlan> = {}): Plan =>
  makePlan(aPlanInput(fleetWith(owners), { sessions: [aSessionInPlan(session)] }));

const startsOf = ({ moves }: Plan) =>
  Object.fromEntries(moves.map(({ instanceId, span }) => [instanceId, Math.floor(span.fromMs / minute)]));

describe.each(['vnf', 'default'] as const)('a plan of %s', (worksLike) => {
  it.each<{ does: string; owners: Record<string, Minutes>; starts: Record<string, number> }>([
    { does: 'waits for the hours of an owner', owners: { a: [[60, 90]] }, starts: { a: 60 } },
    { does: 'lets owners leave in one go', owners: { a: [[60, 90]], b: [[80, 120]] }, starts: { a: 79, b: 80 } },
    { does: 'drains a host in parts', owners: { a: [[60, 90]], b: [[300, 400]] }, starts: { a: 60, b: 300 } },
  ])('$does', ({ owners, starts }) => {
    const plan = planOf(owners, { worksLike });
    expect(startsOf(plan)).toEqual(starts);
    expect(plan.endsAtMs).toBeDefined();
    expect(plan.blockers.map(({ kind }) => kind)).not.toContain('outside_owner_hours');
  });

  it('does not end where an instance fits into no hour, and says whose it is', () => {
    const plan = planOf({ a: [] }, { worksLike });
    expect({ ends: plan.endsAtMs, moves: plan.moves }).toEqual({ ends: undefined, moves: [] });
    expect(plan.blockers).toContainEqual(
      expect.objectContaining({ kind: 'outside_owner_hours', severity: 'stops', projectId: 'project-1' }),
    );
  });
});

it('sends instances of owners whose hours never meet to no host that still waits', () => {
  const day = 24 * 60;
  const weekly = (from: number): Minutes =>
    [0, 1, 2, 3, 4, 5].map((week) => [week * 7 * day + from, week * 7 * day + from + 120]);
  const owners = { saturday: weekly(0), sunday: weekly(day) };
  const hosts = ['old-1', 'old-2', 'old-3'];
  const instances = hosts.flatMap((host) =>
    Object.entries(owners).map(([groupKey, pairs]) => {
      const hours = pairs.map(([from, to]) => ({ fromMs: from * minute, toMs: to * minute }));
      return aConstrained({ id: `${groupKey} of ${host}`, groupKey, host, ownerTimes: { hours } });
    }),
  );
  const groups = Object.keys(owners).map((key) => aGroup({ key, recoveryTimeSeconds: 0, maxImpactedMembers: 3 }));
  const spare = aHost({ name: 'spare', vcpus: 8 });
  const fleet = { hosts: [...hosts.map((name) => aHostIn('waiting', name)), spare], groups, instances };
  const plan = makePlan(aPlanInput(fleet));
  expect(plan.endsAtMs).toBeDefined();
  const besideOthers = plan.moves.filter(
    ({ target, span }) => hosts.includes(target ?? '') && span.fromMs < day * minute,
  );
  expect(besideOthers.map(({ instanceId, target }) => `${instanceId} to ${target ?? ''}`)).toEqual([]);
});
