/**
 * Programs that own budgets in real clusters, played by what their documentation says: each looks at the cluster, and
 * acts on what it sees there. They know nothing of the service.
 */
import { setTimeout as pause } from 'node:timers/promises';
import type { KubernetesClient } from '../../../clouds/kubernetes/client/kubernetes-client';
import { type Budget, budgets } from '../../../clouds/kubernetes/objects/budgets';
import { type Node, nodes } from '../../../clouds/kubernetes/objects/nodes';
import { isPodReady, type Pod, pods } from '../../../clouds/kubernetes/objects/pods';

export interface Actor {
  /** Resolves when it has done what it was doing. */
  readonly stop: () => Promise<void>;
}

const betweenLooksMs = 100;

/** Looks again and again until it is stopped. An object that changes in between is looked at anew. */
export const act = (look: () => Promise<void>): Actor => {
  const ending = new AbortController();
  const done = (async () => {
    while (!ending.signal.aborted) {
      await look().catch(() => undefined);
      await pause(betweenLooksMs);
    }
  })();
  return {
    stop: async () => {
      ending.abort();
      await done;
    },
  };
};

const isCordoned = ({ spec }: Node): boolean => spec.unschedulable === true;

const cordonedNodes = async (admin: KubernetesClient): Promise<ReadonlySet<string>> =>
  new Set((await admin.list(nodes)).items.filter(isCordoned).map(({ metadata }) => metadata.name));

interface OfApp {
  readonly namespace: string;
  readonly app: string;
}

const podsOf = async (admin: KubernetesClient, { namespace, app }: OfApp): Promise<readonly Pod[]> =>
  (await admin.list(pods, { namespace, labelSelector: `app=${app}` })).items;

const setRole = (admin: KubernetesClient, { metadata: { name, namespace } }: Pod, role: 'primary' | 'replica') =>
  admin.patch(pods, { name, namespace }, { patch: { metadata: { labels: { role } } }, type: 'merge' });

/**
 * CloudNativePG: one of its pods is the primary, over which a budget lets none go. Some time after the node of the
 * primary was cordoned, a Ready pod on another node becomes primary.
 * @param switchMs the time that it takes
 */
export const databaseOperator = (admin: KubernetesClient, of: OfApp, switchMs: number): Actor => {
  let cordonedSince: number | undefined;
  return act(async () => {
    const cordoned = await cordonedNodes(admin);
    const all = (await podsOf(admin, of)).filter(({ metadata }) => metadata.deletionTimestamp === undefined);
    const primary = all.find(({ metadata }) => metadata.labels?.['role'] === 'primary');
    const isToStay = primary !== undefined && !cordoned.has(primary.spec.nodeName ?? '');
    cordonedSince = isToStay ? undefined : (cordonedSince ?? Date.now());
    const next = all.find((pod) => isPodReady(pod) && !cordoned.has(pod.spec.nodeName ?? ''));
    if (isToStay || next === undefined || Date.now() - (cordonedSince ?? 0) < switchMs) return;
    if (primary) await setRole(admin, primary, 'replica');
    await setRole(admin, next, 'primary');
  });
};

/**
 * Longhorn: the budget of the instance manager of a node, which is deleted when the node is cordoned and no other pod
 * of its namespace is there.
 */
export const storageManager = (admin: KubernetesClient, { namespace, app }: OfApp, budget: string): Actor =>
  act(async () => {
    const cordoned = await cordonedNodes(admin);
    const all = (await admin.list(pods, { namespace })).items;
    const own = all.find(({ metadata }) => metadata.labels?.['app'] === app);
    const node = own?.spec.nodeName ?? '';
    const others = all.filter((pod) => pod !== own && pod.spec.nodeName === node);
    if (cordoned.has(node) && others.length === 0) await admin.delete(budgets, { namespace, name: budget });
  });

/** The budgets of a storage cluster whose data lies on several nodes. */
export interface StorageCluster extends OfApp {
  /** By the name of the node: the budget over its pods, which selects them by the label `node`. */
  readonly budgetOf: ReadonlyMap<string, string>;
  /** The time that the data takes to be clean after all pods are Ready again. */
  readonly cleanMs: number;
}

/**
 * Rook: while pods of one node are out, or their data is not clean yet, the budgets of all other nodes let none go, and
 * that node has none.
 */
export const storageOperator = (admin: KubernetesClient, cluster: StorageCluster): Actor => {
  const { namespace, budgetOf, cleanMs } = cluster;
  let outOn: string | undefined;
  let cleanAt = 0;
  return act(async () => {
    const all = await podsOf(admin, cluster);
    const out = all.filter((pod) => !isPodReady(pod) || pod.metadata.deletionTimestamp !== undefined);
    const first = out[0]?.metadata.labels?.['node'];
    if (first !== undefined) {
      outOn ??= first;
      cleanAt = Date.now() + cleanMs;
    } else if (Date.now() >= cleanAt) outOn = undefined;
    for (const [node, name] of budgetOf) {
      const maxUnavailable = outOn === undefined ? 1 : outOn === node ? 100 : 0;
      await setBudget(admin, { namespace, name }, maxUnavailable);
    }
  });
};

const setBudget = async (
  admin: KubernetesClient,
  who: { readonly namespace: string; readonly name: string },
  maxUnavailable: number,
): Promise<void> => {
  const known: Budget | undefined = await admin.get(budgets, who);
  if (known?.spec.maxUnavailable === maxUnavailable) return;
  await admin.patch(budgets, who, { patch: { spec: { maxUnavailable } }, type: 'merge' });
};
