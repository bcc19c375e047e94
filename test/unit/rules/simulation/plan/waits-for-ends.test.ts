/** A plan counts the time for which instances that end by themselves are waited for. */
import { choicesOf } from '../../../../../rules/decisions/both-workflows/built-in-workflow';
import type { Host } from '../../../../../rules/decisions/fleet/fleet';
import { makePlan } from '../../../../../rules/simulation/plan/make-plan';
import { aDeparture } from '../../../../builders/a-departure';
import { aFleet, aHost, aHostIn, anInstance, type InstanceFields } from '../../../../builders/a-fleet';
import { aPlanInput, aSessionInPlan } from '../../../../builders/a-plan-input';

const endsByItself = { because: 'it is at work for Job nightly', waitSeconds: 600 };
const kept = { because: 'it is bare', owner: 'project', help: 'move it' } as const;

const planOf = (fields: InstanceFields, host: Host = aHostIn('waiting', 'node-1')) => {
  const night = { id: 'nightly', host: 'node-1', leadTimeSeconds: 0, defaultAction: 'EVICTION', ...fields } as const;
  const fleet = aFleet({ hosts: [host, aHost({ name: 'spare' })], instances: [anInstance(night)] });
  const limits = { defaultImpactShare: 0.25, ...choicesOf({ workflow: 'k8s', rolling: null }) };
  const sessions = [aSessionInPlan({ worksLike: 'k8s', limits, state: 'PLANNED_MAINTENANCE', isBegun: true })];
  return makePlan(aPlanInput(fleet, { sessions }));
};
const endOf = (...given: Parameters<typeof planOf>) => planOf(...given).endsAtMs;

it('expects the whole wait before the move, and only the earliest end does without', () => {
  const without = endOf({});
  const plan = planOf({ departure: aDeparture({ endsByItself }) });
  expect(plan.endsAtMs).toEqual({
    earliest: without?.earliest,
    expected: (without?.expected ?? 0) + 600_000,
    latest: (without?.latest ?? 0) + 600_000,
  });
  expect(plan.criticalHost?.steps.map(({ kind, fromMs, toMs }) => ({ kind, ms: toMs - fromMs }))).toMatchObject([
    { kind: 'end', ms: 600_000 },
    { kind: 'move' },
    { kind: 'maintenance', ms: 100_000 },
  ]);
  expect(plan.moves).toMatchObject([{ instanceId: 'nightly', span: { fromMs: 600_000 } }]);
});

it('expects the rest of a wait that has begun', () => {
  const emptying = aHostIn('emptying', 'node-1', { work: { drainingSinceMs: -200_000 } });
  expect(endOf({ departure: aDeparture({ endsByItself }) }, emptying)?.expected).toBe(
    (endOf({}, emptying)?.expected ?? 0) + 400_000,
  );
});

it('expects no more time for a host that was drained before and given back', () => {
  const again = aHostIn('waiting', 'node-1', { work: { drainingSinceMs: -600_000, releases: 1 } });
  expect(endOf({ departure: aDeparture({ endsByItself }) }, again)).toEqual(endOf({}, again));
});

it.each([
  { situation: 'is moved', fields: {}, told: [{ severity: 'note', subject: { id: 'nightly' } }] },
  { situation: 'is kept', fields: { departure: aDeparture({ held: kept }) }, told: [] },
  { situation: 'is kept until it ends', fields: { departure: aDeparture({ held: kept, endsByItself }) }, told: [] },
])('tells $told.length times of an instance whose work is lost for good where it $situation', ({ fields, told }) => {
  const { blockers } = planOf({ endsForGood: 'Job nightly allows no further failure', ...fields });
  expect(blockers.filter(({ kind }) => kind === 'instance_ends_for_good')).toMatchObject(told);
});

describe('an instance that is kept besides', () => {
  // As the workflow sees an instance that its project is left with and not asked about.
  const fields = { departure: aDeparture({ held: kept, byProject: kept.because, endsByItself }) };
  const kindsIn = ({ blockers }: ReturnType<typeof planOf>) => blockers.map(({ kind }) => kind);

  it.each([
    { situation: 'is not begun', host: aHostIn('waiting', 'node-1'), waitsMs: 600_000 },
    {
      situation: 'is drained for a while',
      host: aHostIn('emptying', 'node-1', { work: { drainingSinceMs: -200_000 } }),
      waitsMs: 400_000,
    },
  ])('is expected to end on its host when its time is over, where that $situation', ({ host, waitsMs }) => {
    const plan = planOf(fields, host);
    expect(plan.moves).toEqual([]);
    expect(plan.endsAtMs?.expected).toBe(waitsMs + 100_000 + 10_000); // maintenance, and the last answer
    expect(plan.endsAtMs?.earliest).toBeLessThan(600_000);
    expect(plan.blockers).toMatchObject([
      {
        kind: 'instance_ends_by_itself',
        because: expect.stringContaining('it is kept, so if it has not ended') as string,
      },
    ]);
  });

  it('keeps its host once its time there is over', () => {
    const plan = planOf(fields, aHostIn('waiting', 'node-1', { work: { drainingSinceMs: -600_000, releases: 1 } }));
    expect([plan.endsAtMs, kindsIn(plan)]).toEqual([undefined, expect.arrayContaining(['instance_held_by_state'])]);
  });
});
