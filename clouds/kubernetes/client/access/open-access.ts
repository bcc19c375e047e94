/**
 * Chooses the way to the cluster: the kubeconfig that the settings name, the service account of the pod, or
 * `~/.kube/config`.
 */
import { homedir } from 'node:os';
import path from 'node:path';
import type { ClusterAccess } from './cluster-access';
import { inClusterAccess } from './in-cluster';
import { kubeconfigAccess } from './kubeconfig';

export interface AccessSettings {
  readonly kubeconfig: readonly string[] | undefined;
  readonly kubernetesContext: string | undefined;
  readonly kubernetesServiceHost: string | undefined;
  readonly kubernetesServicePort: number;
}

/** @throws AccessFault that says what is missing */
export const openAccess = (settings: AccessSettings): ClusterAccess => {
  const { kubeconfig, kubernetesServiceHost: host, kubernetesServicePort: port } = settings;
  if (kubeconfig === undefined && host !== undefined) return inClusterAccess({ host, port });
  const files = kubeconfig ?? [path.join(homedir(), '.kube', 'config')];
  return kubeconfigAccess({ files, context: settings.kubernetesContext });
};
