import { groupsFrom } from '../../../../clouds/kubernetes/instances/list-groups';
import { annotationNames } from '../../../../clouds/kubernetes/limits/annotations';
import { whyBehind } from '../../../../clouds/kubernetes/limits/behind-the-watch';
import { createBudgetIndex, mostOut } from '../../../../clouds/kubernetes/limits/budget-index';
import { createStandingTeller } from '../../../../clouds/kubernetes/limits/pods-away';
import { whyNotEvicted } from '../../../../clouds/kubernetes/limits/why-not-evicted';
import type { Budget } from '../../../../clouds/kubernetes/objects/budgets';
import type { Pod } from '../../../../clouds/kubernetes/objects/pods';
import { aBudget, aCluster, anOwner, aPod } from '../../../builders/a-kubernetes-object';

const noon = Date.parse('2026-01-01T12:00:00Z');
const condition = (status: string, minutes = 10) => ({
  conditions: [{ type: 'Ready', status, lastTransitionTime: new Date(noon - minutes * 60_000).toISOString() }],
});
const inApp = (name: string, given: { status?: Pod['status']; annotations?: Record<string, string> } = {}): Pod =>
  aPod({
    metadata: {
      ...{ name, uid: `uid-of-${name}`, labels: { app: 'web' }, ...anOwner('ReplicaSet') },
      ...(given.annotations && { annotations: given.annotations }),
    },
    status: given.status ?? condition('True'),
  });

const surgeFor = () => ({ kind: 'notAsked' }) as const;
const whyNot = (budgets: readonly Budget[], pods: readonly Pod[] = [inApp('a')]) =>
  whyNotEvicted(createBudgetIndex(aCluster({ budgets, pods })), pods[0]!, { nowMs: noon, surgeFor });

describe('a pod', () => {
  it.each([
    { situation: 'no budget selects it', budgets: [], pods: undefined },
    { situation: 'its budget allows one more', budgets: [aBudget()], pods: undefined },
    { situation: 'its budget is used up for now', budgets: [aBudget({ status: { disruptionsAllowed: 0 } })] },
    { situation: 'its budget was just changed', budgets: [aBudget({ out: 0, status: { observedGeneration: 0 } })] },
    {
      situation: 'it is not Ready itself, and its budget lets such pods go',
      budgets: [aBudget({ out: 0, spec: { unhealthyPodEvictionPolicy: 'AlwaysAllow' } })],
      pods: [inApp('a', { status: condition('False') })],
    },
    { situation: 'a program owns its budget and opens it', budgets: [aBudget({ out: 0, owner: 'Cluster' })] },
    {
      situation: 'another pod of its application just starts',
      budgets: [aBudget({ status: { currentHealthy: 2, disruptionsAllowed: 0 } })],
      pods: [inApp('a'), inApp('b', { status: condition('False', 1) })],
    },
  ])('may be evicted sooner or later when $situation', ({ budgets, pods }) => {
    expect(whyNot(budgets, pods)).toEqual({ kind: 'moves' });
  });

  it('may be refused where its budget wants all pods, and the reason says what would help', () => {
    expect(whyNot([aBudget({ out: 0 })])).toEqual({
      kind: 'mayBeRefused',
      because: 'PodDisruptionBudget web/web-budget (minAvailable 3) lets none of its 3 pods go now',
      help: 'add a replica, or let the budget allow one pod less',
    });
  });

  it('may be refused where the controller of its budget cannot count', () => {
    const conditions = [
      { type: 'DisruptionAllowed', status: 'False', reason: 'SyncFailed', message: 'no scale found' },
    ];
    expect(whyNot([aBudget({ status: { conditions } })])).toMatchObject({
      kind: 'mayBeRefused',
      because: expect.stringContaining('its controller cannot count its pods: no scale found') as string,
    });
  });

  it('is never evicted under two budgets', () => {
    expect(whyNot([aBudget(), aBudget({ name: 'other' })])).toMatchObject({
      kind: 'byProject',
      because: expect.stringContaining('PodDisruptionBudgets web/other and web/web-budget both select this') as string,
    });
  });

  it('may be refused while its application is broken, and its project can repair it', () => {
    const broken = [inApp('a'), inApp('b', { status: condition('False') })];
    expect(whyNot([aBudget({ status: { currentHealthy: 2, disruptionsAllowed: 0 } })], broken)).toMatchObject({
      kind: 'mayBeRefused',
      because: expect.stringContaining('pod web/b has not been Ready for more than 5 minutes') as string,
    });
  });
});

it.each([
  { situation: 'as many are Ready as it needs', statuses: ['True', 'True', 'False'], isPutOff: true },
  { situation: 'one more is Ready than it needs', statuses: ['True', 'True', 'True'], isPutOff: false },
  { situation: 'the pod is not Ready itself', statuses: ['False', 'True', 'False'], isPutOff: false },
])(
  'an eviction is put off: $isPutOff, while a budget has not counted yet that $situation',
  ({ statuses, isPutOff }) => {
    const pods = statuses.map((status, at) => inApp(`pod-${at}`, { status: condition(status) }));
    const because = whyBehind(createBudgetIndex(aCluster({ budgets: [aBudget()], pods })), pods[0]!);
    expect(because !== undefined).toBe(isPutOff);
    const known = aBudget({ status: { disruptionsAllowed: 0 } });
    expect(whyBehind(createBudgetIndex(aCluster({ budgets: [known], pods })), pods[0]!)).toBeUndefined();
  },
);

it('a budget allows as many pods to be out as it expects more than it wants, whatever their state is', () => {
  expect(mostOut(aBudget({ out: 2, status: { currentHealthy: 0, disruptionsAllowed: 0 } }))).toBe(2);
});

it('a budget is a group that the cloud keeps; a workload tells limits by annotations', () => {
  const standings = createStandingTeller(300);
  const plain = [inApp('a'), inApp('b')];
  expect(groupsFrom({ cluster: aCluster({ budgets: [aBudget()], pods: plain }), standings })).toMatchObject([
    { groupName: 'ReplicaSet owner-1', instanceIds: ['uid-of-a', 'uid-of-b'] },
    { groupName: 'PodDisruptionBudget web-budget', maxImpactedMembers: 1, keptBy: { kind: 'cloud', isSteered: false } },
  ]);
  const told = [inApp('a', { annotations: { [annotationNames.recoveryTime]: '30' } })];
  const [workload] = groupsFrom({ cluster: aCluster({ budgets: [aBudget({ out: 2 })], pods: told }), standings });
  expect(workload).toMatchObject({ recoveryTimeSeconds: 30, maxImpactedMembers: 2 });
  expect(workload).not.toHaveProperty('keptBy');
});
