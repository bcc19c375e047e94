import type { ShownStanding } from '../../../../clouds/cloud-driver';
import type { KubernetesClient } from '../../../../clouds/kubernetes/client/kubernetes-client';
import { KubernetesError } from '../../../../clouds/kubernetes/client/kubernetes-error';
import { showStandings } from '../../../../clouds/kubernetes/hosts/show-standings';
import type { Node, Taint } from '../../../../clouds/kubernetes/objects/nodes';
import { aCluster, aNode } from '../../../builders/a-kubernetes-object';

const autoscaler = 'cluster-autoscaler.kubernetes.io/scale-down-disabled';
const named = (name: string, annotations: Record<string, string> = {}): Node =>
  aNode({ metadata: { name, uid: `uid-of-${name}`, resourceVersion: '1', annotations } });

interface Patched {
  readonly subresource?: string;
  readonly patch: {
    metadata?: { annotations?: Record<string, string | null>; resourceVersion?: string };
    spec?: { taints: Taint[] };
    status?: { conditions: Condition[] };
  };
}
interface Condition {
  readonly type: string;
  readonly status: string;
  readonly reason?: string;
  readonly message?: string;
  readonly $patch?: 'delete';
}

const patchedNode = (node: Node, { metadata, spec, status }: Patched['patch']): Node => {
  const changed = { ...node.metadata.annotations, ...metadata?.annotations };
  const annotations = Object.fromEntries(Object.entries(changed).filter(([, value]) => value !== null));
  const types = status?.conditions.map(({ type }) => type) ?? [];
  const kept = (node.status?.conditions ?? []).filter(({ type }) => !types.includes(type));
  const set = (status?.conditions ?? []).filter(({ $patch }) => $patch === undefined);
  const resourceVersion = String(Number(node.metadata.resourceVersion) + 1);
  return {
    ...node,
    spec: { ...node.spec, ...spec },
    metadata: { ...node.metadata, annotations: annotations as Record<string, string>, resourceVersion },
    status: { ...node.status, conditions: [...kept, ...set] },
  };
};

/** Nodes as an API server would keep them, and what it was asked for. */
const aClusterOf = (...all: readonly Node[]) => {
  const cluster = aCluster({ nodes: all });
  const patches: string[] = [];
  const told: string[] = [];
  const client = {
    get: (_resource: unknown, { name }: { name: string }) => Promise.resolve(cluster.nodes.byName(name)),
    patch: (_resource: unknown, { name }: { name: string }, { patch, subresource = 'annotations' }: Patched) => {
      patches.push(`${name} ${subresource}`);
      const node = cluster.nodes.byName(name)!;
      const { resourceVersion = node.metadata.resourceVersion } = patch.metadata ?? {};
      const isStale = resourceVersion !== node.metadata.resourceVersion;
      if (isStale) return Promise.reject(new KubernetesError('words', 409, { said: 'stale', causes: [] }));
      return Promise.resolve(patchedNode(node, patch));
    },
  } as unknown as KubernetesClient;
  const sources = {
    client,
    nodes: { ...cluster.nodes, ready: () => Promise.resolve() },
    events: {
      tell: ({ reason }: { reason: string }) => {
        told.push(reason);
        return Promise.resolve();
      },
    },
    lacks: () => Promise.resolve(false),
    taints: true,
  };
  const show = (standings: Readonly<Record<string, ShownStanding['doing']>>, only?: string, given = {}) =>
    showStandings(
      sources,
      new Map(Object.entries(standings).map(([name, doing]) => [name, { sessionId: 's-1', doing, ...given }])),
      only,
    );
  const seen = (name: string) => {
    const { metadata, status } = cluster.nodes.byName(name)!;
    const own = status?.conditions?.filter(({ reason }) => reason === 'ParleySession') ?? [];
    return { annotations: metadata.annotations ?? {}, conditions: own.map(({ type }) => type).sort() };
  };
  return { show, seen, patches, told, sources };
};

it.each([
  { doing: 'planned', conditions: ['MaintenancePlanned'], isKept: false, reason: 'MaintenancePlanned' },
  { doing: 'draining', conditions: ['DrainInProgress', 'MaintenancePlanned'], isKept: true, reason: 'DrainStarted' },
  {
    doing: 'maintaining',
    conditions: ['Drained', 'MaintenanceInProgress'],
    isKept: true,
    reason: 'MaintenanceStarted',
  },
  { doing: 'releasing', conditions: [], isKept: true, reason: 'GoesBackToUse' },
] as const)('a node that is $doing shows it', async ({ doing, conditions, isKept, reason }) => {
  const { show, seen, told } = aClusterOf(named('node-1'));
  await show({ 'node-1': doing });
  expect(seen('node-1').conditions).toEqual(conditions);
  expect(autoscaler in seen('node-1').annotations).toBe(isKept);
  expect(told).toEqual([reason]);
});

it('a repeat changes nothing', async () => {
  const { show, patches, told } = aClusterOf(named('node-1'));
  await show({ 'node-1': 'draining' });
  const before = patches.length;
  await show({ 'node-1': 'draining' });
  expect(patches).toHaveLength(before);
  expect(told).toEqual(['DrainStarted']);
});

it('all of it is taken back from a node that no session has in hand', async () => {
  const { show, seen, told } = aClusterOf(named('node-1'), named('node-2'));
  await show({ 'node-1': 'maintaining', 'node-2': 'planned' });
  await show({ 'node-2': 'planned' });
  expect(seen('node-1')).toEqual({ annotations: {}, conditions: [] });
  expect(seen('node-2').conditions).toEqual(['MaintenancePlanned']);
  expect(told.at(-1)).toBe('MaintenanceOver');
});

it('no other host is touched where one is named', async () => {
  const { show, patches } = aClusterOf(named('node-1'), named('node-2'));
  await show({ 'node-1': 'draining', 'node-2': 'draining' }, 'node-2');
  expect(new Set(patches.map((patch) => patch.split(' ')[0]))).toEqual(new Set(['node-2']));
});

it('what somebody else has set stays', async () => {
  const theirs = { type: 'MaintenancePlanned', status: 'True', reason: 'Window', message: 'next week' };
  const node = { ...named('node-1', { [autoscaler]: 'true' }), status: { conditions: [theirs] } };
  const { show, seen, sources } = aClusterOf(node);
  await show({ 'node-1': 'draining' });
  expect(seen('node-1').conditions).toEqual(['DrainInProgress']);
  await show({});
  expect(seen('node-1').annotations).toEqual({ [autoscaler]: 'true' });
  expect(sources.nodes.byName('node-1')?.status?.conditions).toEqual([theirs]);
});

it('a login without the right to set conditions shows the rest', async () => {
  const { show, seen, sources, told } = aClusterOf(named('node-1'));
  sources.lacks = () => Promise.resolve(true);
  await show({ 'node-1': 'draining' });
  expect(seen('node-1').conditions).toEqual([]);
  expect(autoscaler in seen('node-1').annotations).toBe(true);
  expect(told).toEqual(['DrainStarted']);
  sources.client.get = () => Promise.reject(new Error('all of it is shown'));
  await show({ 'node-1': 'draining' });
});

describe('a node that is to be avoided', () => {
  const others = [{ key: 'gpu', value: 'a100', effect: 'NoSchedule' }];
  const avoided = { key: 'parley.maintenance/to-be-maintained', effect: 'PreferNoSchedule' };
  const toBeAvoided = { isToBeAvoided: true };
  const tainted = (): Node => ({ ...named('node-1'), spec: { taints: others } });
  const taintsOf = ({ sources }: ReturnType<typeof aClusterOf>) => sources.nodes.byName('node-1')?.spec.taints;

  it('has a taint of its own until the session is done with it, and keeps the others', async () => {
    const cluster = aClusterOf(tainted());
    await cluster.show({ 'node-1': 'planned' }, undefined, toBeAvoided);
    expect(taintsOf(cluster)).toEqual([...others, avoided]);
    const before = cluster.patches.length;
    await cluster.show({ 'node-1': 'planned' }, undefined, toBeAvoided);
    expect(cluster.patches).toHaveLength(before);
    await cluster.show({ 'node-1': 'releasing' });
    expect(taintsOf(cluster)).toEqual(others);
  });

  it('has none where the settings do not want it, also where it had one', async () => {
    const cluster = aClusterOf(tainted());
    await cluster.show({ 'node-1': 'planned' }, undefined, toBeAvoided);
    cluster.sources.taints = false;
    await cluster.show({ 'node-1': 'planned' }, undefined, toBeAvoided);
    expect(taintsOf(cluster)).toEqual(others);
  });

  it('keeps a taint that somebody else sets at the same moment', async () => {
    const cluster = aClusterOf(tainted());
    const { client } = cluster.sources;
    const patch = client.patch.bind(client);
    const theirs = { key: 'node.kubernetes.io/unschedulable', effect: 'NoSchedule' };
    let isFirst = true;
    client.patch = (...given) => {
      const node = cluster.sources.nodes.byName('node-1')!;
      if (isFirst) cluster.sources.nodes.put(patchedNode(node, { spec: { taints: [...others, theirs] } }));
      isFirst = false;
      return patch(...given);
    };
    await cluster.show({ 'node-1': 'planned' }, undefined, toBeAvoided);
    expect(taintsOf(cluster)).toEqual([...others, theirs, avoided]);
  });
});
