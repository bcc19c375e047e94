/** Switches by which things go wrong on the test cluster, and right again: annotations for kwok (stages.yaml). */
import type { KubernetesClient } from '../../../clouds/kubernetes/client/kubernetes-client';
import { nodes } from '../../../clouds/kubernetes/objects/nodes';
import { deployments } from '../../../clouds/kubernetes/objects/others';
import { type Pod, pods } from '../../../clouds/kubernetes/objects/pods';
import { annotatePod } from './operator';

export const podsOn = async (admin: KubernetesClient, node: string): Promise<readonly Pod[]> =>
  (await admin.list(pods, { fieldSelector: `spec.nodeName=${node}` })).items;

/** A pod may be gone by now. */
const mark = (admin: KubernetesClient, all: readonly Pod[], annotations: Readonly<Record<string, string | null>>) =>
  Promise.allSettled(all.map((pod) => annotatePod(admin, pod, annotations)));

const setDown = async (admin: KubernetesClient, name: string, value: string | null): Promise<void> => {
  const patch = { metadata: { annotations: { 'sim/down': value } } };
  await admin.patch(nodes, { name }, { patch, type: 'merge' });
};

/** The node reports NotReady; its pods are not Ready, and neither start nor end. */
export const takeNodeDown = async (admin: KubernetesClient, name: string): Promise<void> => {
  await mark(admin, await podsOn(admin, name), { 'sim/node-down': '1' });
  await setDown(admin, name, '1');
};

export const bringNodeUp = async (admin: KubernetesClient, name: string): Promise<void> => {
  await setDown(admin, name, null);
  await mark(admin, await podsOn(admin, name), { 'sim/node-down': null });
};

/** The pods stop being Ready, or are Ready again. */
export const setReady = async (admin: KubernetesClient, all: readonly Pod[], isReady: boolean): Promise<void> => {
  await mark(admin, all, { 'sim/not-ready': isReady ? null : '1' });
};

/** Starts a rollout: pods of the Deployment that are made from now on become Ready, or never do. */
export const rollOut = async (
  admin: KubernetesClient,
  { name, namespace }: { readonly name: string; readonly namespace: string },
  becomesReady: boolean,
): Promise<void> => {
  const metadata = { annotations: { 'sim/not-ready': becomesReady ? null : '1' } };
  await admin.patch(deployments, { name, namespace }, { patch: { spec: { template: { metadata } } }, type: 'merge' });
};

/** As an autoscaler removes a node: its object first, and after a while the control plane forgets its pods. */
export const removeNode = async (admin: KubernetesClient, name: string): Promise<void> => {
  await admin.delete(nodes, { name });
  for (const { metadata } of await podsOn(admin, name)) {
    const at = { name: metadata.name, namespace: metadata.namespace };
    await admin.delete(pods, at, { gracePeriodSeconds: 0 });
  }
};
