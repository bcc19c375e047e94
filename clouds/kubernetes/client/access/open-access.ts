/**
 * Chooses the way to the cluster: the kubeconfig that the settings name, the service account of the pod, or
 * `~/.kube/config`.
 */
import { readFileSync } from 'node:fs';
import { homedir } from 'node:os';
import path from 'node:path';
import { AccessFault, type ClusterAccess } from './cluster-access';
import { inClusterAccess } from './in-cluster';
import { kubeconfigAccess } from './kubeconfig';

export interface AccessSettings {
  readonly kubeconfig: readonly string[] | undefined;
  readonly kubernetesContext: string | undefined;
  readonly kubernetesServiceHost: string | undefined;
  readonly kubernetesServicePort: number;
}

/**
 * Returns a function with the present access, which is made anew when the kubeconfig or a file of certificates was
 * replaced. Until the new files fit together, the access before counts.
 *
 * @throws AccessFault that says what is missing
 */
export const openAccess = (settings: AccessSettings): (() => ClusterAccess) => {
  let last = accessBy(settings);
  let texts = textsOf(last.files);
  return () => {
    const now = textsOf(last.files);
    if (now === texts) return last;
    try {
      last = accessBy(settings);
      texts = textsOf(last.files);
    } catch (error) {
      if (!(error instanceof AccessFault)) throw error;
    }
    return last;
  };
};

const accessBy = (settings: AccessSettings): ClusterAccess => {
  const { kubeconfig, kubernetesServiceHost: host, kubernetesServicePort: port } = settings;
  if (kubeconfig === undefined && host !== undefined) return inClusterAccess({ host, port });
  const files = kubeconfig ?? [path.join(homedir(), '.kube', 'config')];
  return kubeconfigAccess({ files, context: settings.kubernetesContext });
};

const textsOf = (files: readonly string[]): string => JSON.stringify(files.map(textOf));

const textOf = (file: string): string | null => {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return null;
  }
};
