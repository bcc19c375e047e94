/** A plan names what keeps instances away from the only host that has room for them, and that may pass. */
import { choicesOf } from '../../../../../rules/decisions/both-workflows/built-in-workflow';
import { makePlan } from '../../../../../rules/simulation/plan/make-plan';
import { aFleet, aHost, aHostIn, anInstance } from '../../../../builders/a-fleet';
import { aPlanInput, aSessionInPlan } from '../../../../builders/a-plan-input';

it.each(['MAINTENANCE', 'PLANNED_MAINTENANCE'] as const)('in state %s', (state) => {
  const lacks = 'no taint node.kubernetes.io/disk-pressure:NoSchedule';
  const hosts = [aHostIn('waiting', 'a'), aHost({ name: 'spare', offers: 'pressure', offersOnceItself: '' })];
  const instances = [anInstance({ host: 'a', defaultAction: 'EVICTION', leadTimeSeconds: 0 })];
  const limits = { defaultImpactShare: 0.25, ...choicesOf({ workflow: 'k8s', rolling: null }) };
  const sessions = [aSessionInPlan({ worksLike: 'k8s', limits, state, isBegun: state !== 'MAINTENANCE' })];
  const fleet = { ...aFleet({ hosts, instances }), misfits: [{ needs: '', offers: 'pressure', lacks }] };
  const { blockers, moves } = makePlan(aPlanInput(fleet, { sessions }));
  expect(moves).toEqual([]);
  const told = blockers.find(({ kind }) => kind === 'host_cannot_be_drained');
  expect(told?.because).toContain(`host spare lacks ${lacks}`);
});
