/** Sessions of `k8s` over applications under topology spread come to the end that their plans tell. */
import fc from 'fast-check';
import { choicesOf } from '../../rules/decisions/both-workflows/built-in-workflow';
import { makePlan } from '../../rules/simulation/plan/make-plan';
import { aPlanInput, aSessionInPlan } from '../builders/a-plan-input';
import { type App, type SpreadCluster, SpreadSession } from './spread-session';
import type { SpreadNode, SpreadRule } from './spreading-scheduler';

const someRule = (over: SpreadRule['over'], given: fc.Arbitrary<Omit<SpreadRule, 'over'>>): fc.Arbitrary<SpreadRule> =>
  given.map((rule) => ({ over, ...rule }));

/** More pods than nodes in most cases, and budgets that let some or all of a node go. */
const someApp = (name: string, given: fc.Arbitrary<Omit<SpreadRule, 'over'>>): fc.Arbitrary<App> =>
  fc.record({
    name: fc.constant(name),
    replicas: fc.integer({ min: 1, max: 14 }),
    budget: fc.integer({ min: 1, max: 3 }),
    isBound: fc.boolean(),
    rules: fc.oneof(
      fc.tuple(someRule('hosts', given)),
      fc.tuple(someRule('zones', given)),
      fc.tuple(someRule('zones', given), someRule('hosts', given)),
    ),
  });

const someNodes = fc
  .array(fc.integer({ min: 0, max: 2 }), { minLength: 2, maxLength: 8 })
  .map((zones) => zones.map((zone, at): SpreadNode => ({ name: `node-${String(at)}`, zone: `zone-${String(zone)}` })));

const clustersWith = (given: fc.Arbitrary<Omit<SpreadRule, 'over'>>): fc.Arbitrary<SpreadCluster> =>
  fc.record({ nodes: someNodes, apps: fc.tuple(someApp('web', given), someApp('db', given)) });

const isPlannedToEnd = (session: SpreadSession): boolean => {
  const limits = { defaultImpactShare: 0.25, maxFailedHosts: 0, ...choicesOf({ workflow: 'k8s', rolling: null }) };
  const plan = makePlan(aPlanInput(session.fleet(), { sessions: [aSessionInPlan({ worksLike: 'k8s', limits })] }));
  // A plan that tells no end tells why.
  expect(plan.endsAtMs !== undefined || plan.blockers.length > 0).toBe(true);
  return plan.endsAtMs !== undefined;
};

const usual = fc.constant({ maxSkew: 1, honorsTaints: false });

it('ends where a drain node after node would, as its plan says, with the usual constraints', () => {
  fc.assert(
    fc.property(clustersWith(usual), (cluster) => {
      const session = new SpreadSession(cluster);
      const isPlanned = isPlannedToEnd(session);
      session.run();
      expect(isPlanned).toBe(session.ending === 'complete');
      expect(isPlanned).toBe(new SpreadSession(cluster).drainOneByOne());
      expect(session.pending).toBe(0);
    }),
    { numRuns: 100 },
  );
});

it.each([1, 2, 3])('has as many nodes of an application with a pod on each under work as may be away: %i', (budget) => {
  const nodes = Array.from({ length: 6 }, (_, at) => ({ name: `node-${String(at)}`, zone: `zone-${String(at % 2)}` }));
  const rules = (['zones', 'hosts'] as const).map((over) => ({ over, maxSkew: 1, honorsTaints: false }));
  const session = new SpreadSession({ nodes, apps: [{ name: 'web', replicas: 6, budget, rules }] });
  session.run();
  expect([session.ending, session.mostUnderWork]).toEqual(['complete', budget]);
});

it.each([
  {
    what: 'whose budget lets those of one go',
    ...{ zones: ['a', 'b', 'c'], app: { replicas: 6, budget: 2, isBound: true, rules: [] } },
  },
  {
    what: 'under a spread over zones and one over nodes',
    zones: ['b', 'c', 'b', 'a'],
    app: {
      ...{ replicas: 8, budget: 3, isBound: true },
      rules: (['zones', 'hosts'] as const).map((over) => ({ over, maxSkew: 1, honorsTaints: false })),
    },
  },
])('has no pods of two nodes wait for each other that no other node could take, $what', ({ zones, app }) => {
  const nodes = zones.map((zone, at) => ({ name: `node-${String(at)}`, zone }));
  const session = new SpreadSession({ nodes, apps: [{ name: 'db', ...app }] });
  expect(isPlannedToEnd(session)).toBe(true);
  session.run();
  expect([session.ending, session.mostUnderWork]).toEqual(['complete', 1]);
});

/** The scheduler has a choice there which nobody foresees, so that a few end in another way than planned. */
it('ends as its plan says in nearly all cases, with any constraints', () => {
  const given = clustersWith(fc.record({ maxSkew: fc.integer({ min: 1, max: 2 }), honorsTaints: fc.boolean() }));
  const clusters = fc.sample(given, { numRuns: 100, seed: 1 });
  const asPlanned = clusters.filter((cluster) => {
    const session = new SpreadSession(cluster);
    const isPlanned = isPlannedToEnd(session);
    session.run();
    return isPlanned === (session.ending === 'complete');
  });
  expect(asPlanned.length).toBeGreaterThanOrEqual(95);
});
