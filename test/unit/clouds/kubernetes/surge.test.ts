import type { KubernetesClient } from '../../../../clouds/kubernetes/client/kubernetes-client';
import { createBudgetIndex } from '../../../../clouds/kubernetes/limits/budget-index';
import { whyNotEvicted } from '../../../../clouds/kubernetes/limits/why-not-evicted';
import type { Budget } from '../../../../clouds/kubernetes/objects/budgets';
import type { Autoscaler, Deployment } from '../../../../clouds/kubernetes/objects/others';
import type { Pod } from '../../../../clouds/kubernetes/objects/pods';
import { decideEnd, decideSurge, surgedAnnotation } from '../../../../clouds/kubernetes/surge/decide-surge';
import { createSurger } from '../../../../clouds/kubernetes/surge/surge';
import type { Database } from '../../../../prisma/database';
import { keyOf } from '../../../../rules/cloud/id';
import { aBudget, aCluster, anOwner, aPod } from '../../../builders/a-kubernetes-object';

const asks = { 'parley.maintenance/surge': 'true' };
const raised = { ...asks, [surgedAnnotation]: 'from 1 to 2' };

const aDeployment = (replicas = 1, annotations: Record<string, string> = asks): Deployment => ({
  metadata: { name: 'shop', namespace: 'web', uid: 'uid-of-shop', resourceVersion: '7', annotations },
  spec: { replicas },
});
const anAutoscaler = (spec: { minReplicas?: number; maxReplicas: number }, annotations = {}): Autoscaler => ({
  metadata: { name: 'auto', namespace: 'web', uid: 'uid-of-auto', resourceVersion: '8', annotations },
  spec: { scaleTargetRef: { kind: 'Deployment', name: 'shop' }, ...spec },
});
const replicaSet = {
  metadata: { name: 'shop-1', namespace: 'web', uid: 'uid-of-shop-1', ...anOwner('Deployment', 'shop') },
};
const inShop = (uid = 'uid-1', ready = 'True', deletionTimestamp?: string): Pod =>
  aPod({
    metadata: {
      ...{ name: `pod-${uid}`, uid, labels: { app: 'web' }, ...anOwner('ReplicaSet', 'shop-1') },
      ...(deletionTimestamp !== undefined && { deletionTimestamp }),
    },
    status: { conditions: [{ type: 'Ready', status: ready }] },
  });
const ofOne = (spec: Partial<Budget['spec']> = { minAvailable: 1 }): Budget =>
  aBudget({ spec, status: { expectedPods: 1, currentHealthy: 1, desiredHealthy: 1, disruptionsAllowed: 0 } });
const unavailable: Budget['spec'] = { selector: { matchLabels: { app: 'web' } }, maxUnavailable: 0 };

interface Given {
  readonly deployment?: Deployment;
  readonly autoscaler?: Autoscaler;
  readonly budget?: Budget;
}

const clusterWith = ({ deployment = aDeployment(), autoscaler, budget = ofOne() }: Given, pods = [inShop()]) =>
  aCluster({
    ...{ pods, budgets: [budget], replicaSets: [replicaSet], deployments: [deployment] },
    ...(autoscaler && { autoscalers: [autoscaler] }),
  });

const decide = (given: Given, missingRight?: string) =>
  decideSurge({ cluster: clusterWith(given), missingRight }, given.budget ?? ofOne(), inShop());

describe('one more replica', () => {
  it.each([
    { what: 'replicas', given: {}, name: 'shop', surge: { before: 1, raisedTo: 2 } },
    { what: 'replicas for a share', given: { budget: ofOne({ minAvailable: '50%' }) }, name: 'shop' },
    {
      what: "the autoscaler's least",
      given: { deployment: aDeployment(2), autoscaler: anAutoscaler({ minReplicas: 1, maxReplicas: 3 }) },
      ...{ name: 'auto', surge: { before: 1, raisedTo: 3 } },
    },
  ])('raises $what', ({ given, name, surge = { before: 1, raisedTo: 2 } }) => {
    expect(decide(given)).toMatchObject({ kind: 'raise', scaled: { metadata: { name } }, surge });
  });

  it.each([
    {
      situation: 'a right is missing',
      given: {},
      lacks: 'patch deployments.apps',
      because: 'lacks the right to patch',
    },
    { situation: 'the budget allows none missing', given: { budget: { ...ofOne(), spec: unavailable } } },
    { situation: 'the budget wants all', given: { budget: ofOne({ minAvailable: '100%' }) } },
    { situation: 'the budget wants more pods', given: { budget: ofOne({ minAvailable: 3 }) } },
    {
      situation: 'the autoscaler allows no more',
      given: { autoscaler: anAutoscaler({ minReplicas: 1, maxReplicas: 1 }) },
      because: 'HorizontalPodAutoscaler web/auto allows 1 replicas (maxReplicas)',
    },
    {
      situation: 'somebody has changed it in between',
      given: { deployment: aDeployment(5, raised) },
      because: 'somebody has changed Deployment web/shop after the service had raised it to 2',
    },
  ])('is not added when $situation, and the plan says so', ({ given, lacks, because = 'would let none go' }) => {
    const decision = decide(given, lacks);
    expect(decision).toMatchObject({ kind: 'cannot', because: expect.stringContaining(because) as string });
    const cluster = clusterWith(given);
    const way = whyNotEvicted(createBudgetIndex(cluster), inShop(), {
      nowMs: 0,
      surgeFor: () => decision,
    });
    expect(way).toMatchObject({ kind: 'mayBeRefused', because: expect.stringContaining(because) as string });
  });

  it('is not added where nobody asks, nor twice', () => {
    expect(decide({ deployment: aDeployment(1, {}) })).toEqual({ kind: 'notAsked' });
    expect(decide({ deployment: aDeployment(2, raised) })).toMatchObject({ kind: 'raised' });
    const least = anAutoscaler({ minReplicas: 2, maxReplicas: 3 }, { [surgedAnnotation]: 'from 1 to 2' });
    expect(decide({ autoscaler: least })).toMatchObject({ kind: 'raised', scaled: { metadata: { name: 'auto' } } });
  });
});

it.each([
  { situation: 'a pod is still to leave', pods: [inShop(), inShop('uid-2')], moved: ['uid-2'], end: 'wait' },
  { situation: 'the next pod is not Ready', pods: [inShop('uid-2', 'False')], end: 'wait' },
  { situation: 'the only Ready pod ends', pods: [inShop('uid-1', 'True', '2026-01-01T12:00:00Z')], end: 'wait' },
  { situation: 'the next pod is Ready', pods: [inShop('uid-2')], end: 'setBack' },
  { situation: 'the further pod never was', pods: [inShop(), inShop('uid-2', 'False')], end: 'setBack' },
  { situation: 'somebody has changed it', pods: [inShop()], replicas: 4, end: 'forget' },
])('when $situation, the end is: $end', ({ pods, moved = [], replicas = 2, end }) => {
  expect(decideEnd(aDeployment(replicas, raised), pods, new Set(moved.map(keyOf)))).toBe(end);
});

/** A driver's process on a cluster that keeps what is written. */
const aProcess = (given: Given) => {
  const cluster = { ...clusterWith(given), ready: () => Promise.resolve() };
  const storeOf = (kind: string) => (kind === 'Deployment' ? cluster.deployments : cluster.autoscalers);
  const patches: unknown[] = [];
  const client = {
    call: () => Promise.resolve({ status: { allowed: true } }),
    list: () => Promise.resolve({ items: [] }),
    get: ({ kind }: { kind: string }, { name }: { name: string }) => Promise.resolve(storeOf(kind).byName(name, 'web')),
    patch: ({ kind }: { kind: string }, { name }: { name: string }, { patch }: { patch: { spec: object } }) => {
      patches.push(patch);
      const known = storeOf(kind).byName(name, 'web')!;
      return Promise.resolve({ ...known, metadata: { ...known.metadata, resourceVersion: '9' } });
    },
  } as unknown as KubernetesClient;
  const db = { $queryRaw: () => Promise.resolve([]) } as unknown as Database;
  return { surger: createSurger({ db, client, cluster }), patches };
};

it('writes the number and what it was before together, for the version that was read', async () => {
  const { surger, patches } = aProcess({});
  const waitsFor = expect.stringContaining('Deployment web/shop was raised from 1 to 2 replicas') as string;
  await expect(surger.beforeEviction('uid-1')).resolves.toEqual({ kind: 'ask', waitsFor });
  const annotations = { [surgedAnnotation]: 'from 1 to 2' };
  expect(patches).toEqual([{ metadata: { resourceVersion: '7', annotations }, spec: { replicas: 2 } }]);
});

it.each([
  { situation: 'the budget lets pods go', given: { budget: aBudget() }, words: undefined },
  {
    situation: 'another process has done it',
    given: { deployment: aDeployment(2, raised) },
    words: 'waits for a further',
  },
  { situation: 'it does not help', given: { budget: ofOne({ minAvailable: 2 }) }, words: 'would let none go' },
])('raises nothing when $situation', async ({ given, words }) => {
  const { surger, patches } = aProcess(given);
  const waitsFor: unknown = words && expect.stringContaining(words);
  expect(await surger.beforeEviction('uid-1')).toEqual({ kind: 'ask', waitsFor });
  expect(patches).toEqual([]);
});

it('sets back what another process has raised, and only that', async () => {
  const later = aProcess({ deployment: aDeployment(2, raised) });
  await later.surger.settle();
  const remembered = (words: string | null) => ({ annotations: { [surgedAnnotation]: words } });
  expect(later.patches).toEqual([
    { metadata: { resourceVersion: '7', ...remembered('from 1 to 2, to be set back') }, spec: { replicas: 2 } },
    { metadata: { resourceVersion: '9', ...remembered(null) }, spec: { replicas: 1 } },
  ]);
  const other = aProcess({});
  await other.surger.settle();
  expect(other.patches).toEqual([]);
});

it('sets back the least of an autoscaler', async () => {
  const autoscaler = anAutoscaler({ minReplicas: 2, maxReplicas: 3 }, { [surgedAnnotation]: 'from 1 to 2' });
  const { surger, patches } = aProcess({ deployment: aDeployment(2), autoscaler });
  await surger.settle();
  expect(patches).toMatchObject([
    { metadata: { resourceVersion: '8' }, spec: { minReplicas: 2 } },
    { metadata: { resourceVersion: '9' }, spec: { minReplicas: 1 } },
  ]);
});
