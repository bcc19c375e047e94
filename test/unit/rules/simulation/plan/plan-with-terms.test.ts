import type { Fleet, MoveByTerms } from '../../../../../rules/decisions/fleet/fleet';
import { nothingSeen } from '../../../../../rules/expectations/expected-times';
import { makePlan } from '../../../../../rules/simulation/plan/make-plan';
import type { Plan, PlanInput } from '../../../../../rules/simulation/plan/plan';
import { aGroup, aHost, aHostIn } from '../../../../builders/a-fleet';
import { aConstrained, aPlanInput, aSessionInPlan } from '../../../../builders/a-plan-input';

/** One host with an instance of 30 s to answer, whose project has never answered. */
const fleetWith = (byTerms?: MoveByTerms): Partial<Fleet> => ({
  hosts: [aHostIn('waiting', 'old-1'), aHost({ name: 'spare' })],
  groups: [aGroup({ recoveryTimeSeconds: 0 })],
  instances: [aConstrained({ id: 'a', host: 'old-1', ...(byTerms && { byTerms }) })],
});
const projectId = 'project-1';
const silent = { ...nothingSeen, answers: [{ projectId, seconds: undefined, silentShare: 1 }] };
const all = { MAINTENANCE: [projectId], SCALE_IN: [projectId], MAINTENANCE_COMPLETE: [projectId] };

const planOf = (byTerms: MoveByTerms | undefined, fields: Partial<PlanInput> = {}): Plan =>
  makePlan(aPlanInput(fleetWith(byTerms), { seen: silent, ...fields }));

const timesOf = ({ moves, endsAtMs }: Plan) => ({
  moves: moves.map(({ action, span }) => [action, span.fromMs, span.toMs]),
  ends: endsAtMs && Object.values(endsAtMs),
});

const liveAtOnce = { action: 'LIVE_MIGRATE', atOnce: true } as const;
const skips = { replyPolicy: { silence: 'skip_host', lastNack: 'fail' } } as const;

it.each<{ workflow: 'vnf' | 'default' }>([{ workflow: 'vnf' }, { workflow: 'default' }])(
  'a plan of $workflow expects no waiting for questions that terms answer at once',
  ({ workflow }) => {
    const sessions = [aSessionInPlan({ worksLike: workflow })];
    const plan = planOf(liveAtOnce, { answeredAtOnce: all, sessions });
    expect(timesOf(plan)).toMatchObject({ moves: [['LIVE_MIGRATE', 0, 30_000]] });
    expect(plan.endsAtMs?.expected).toBe(130_000);
    expect(plan.questions.map(({ isAnswered }) => isAnswered)).not.toContain(false);
    expect(plan.blockers.map(({ kind }) => kind)).not.toContain('project_silent');
  },
);

it('a plan waits for a silent project without terms: 20 s at the begin and the end, and 30 s for its instance', () => {
  const plan = planOf(undefined);
  expect(timesOf(plan).moves).toEqual([['MIGRATE', 50_000, 80_000]]);
  expect(plan.endsAtMs?.expected).toBe(200_000);
  expect(plan.blockers.map(({ kind }) => kind)).toContain('project_silent');
});

it.each<{ workflow: 'vnf' | 'default' }>([{ workflow: 'vnf' }, { workflow: 'default' }])(
  'a plan of $workflow waits for a silent project that wants to be asked, then keeps to its terms',
  ({ workflow }) => {
    const sessions = [aSessionInPlan({ worksLike: workflow, steering: skips })];
    const plan = planOf({ action: 'LIVE_MIGRATE', atOnce: false }, { sessions });
    expect(timesOf(plan).moves).toEqual([['LIVE_MIGRATE', 50_000, 80_000]]);
    expect(plan.hosts).toMatchObject([{ hostname: 'old-1', endsAs: 'maintained' }]);
  },
);

it('a plan skips the host of a silent project without terms where the session says so', () => {
  const plan = planOf(undefined, { sessions: [aSessionInPlan({ steering: skips })] });
  expect(plan.hosts).toMatchObject([{ hostname: 'old-1', endsAs: 'skipped' }]);
});
