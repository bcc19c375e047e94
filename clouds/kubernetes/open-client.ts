/** Opens the client of the cluster that the settings name, for all who speak to its API. */
import type { ProxySettings } from '../../outgoing/proxies';
import { openAccess } from './client/access/open-access';
import { createKubernetesClient, type KubernetesClient } from './client/kubernetes-client';
import { createTransport } from './client/transport';

/** Part of config/settings.ts; each field is a row of the settings table. */
export interface KubernetesAccessSettings extends ProxySettings {
  readonly kubeconfig: readonly string[] | undefined;
  readonly kubernetesContext: string | undefined;
  readonly kubernetesServiceHost: string | undefined;
  readonly kubernetesServicePort: number;
  readonly kubernetesTimeoutSeconds: number;
}

/** @throws AccessFault that names what is missing or wrong in the kubeconfig or the pod */
export const openKubernetesClient = (settings: KubernetesAccessSettings): KubernetesClient =>
  createKubernetesClient(
    createTransport(openAccess(settings), { timeoutSeconds: settings.kubernetesTimeoutSeconds, proxies: settings }),
  );
