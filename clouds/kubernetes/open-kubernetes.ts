/** Opens the Kubernetes cluster that the settings name. */
import type { Database } from '../../prisma/database';
import { createKubernetesCloud, type KubernetesCloud } from './kubernetes-cloud';
import { type KubernetesAccessSettings, openKubernetesClient } from './open-client';

/** Part of config/settings.ts; each field is a row of the settings table. */
export interface KubernetesSettings extends KubernetesAccessSettings {
  /** keep or delete. */
  readonly kubernetesUnmanagedPods: 'keep' | 'delete';
  readonly kubernetesLocalData: 'keep' | 'delete';
  readonly kubernetesForced: 'keep' | 'delete';
  readonly kubernetesCompleteSeconds: number;
  readonly kubernetesReadySeconds: number;
  readonly kubernetesDetachSeconds: number;
  readonly kubernetesTaintUnmaintained: 'off' | 'on';
  readonly kubernetesAtWorkTaints: readonly string[] | undefined;
  readonly jobNamespace: string | undefined;
}

/** @throws AccessFault that names what is missing or wrong in the kubeconfig or the pod */
export const openKubernetes = ({
  settings,
  db,
}: {
  readonly settings: KubernetesSettings;
  readonly db: Database;
}): KubernetesCloud =>
  createKubernetesCloud({
    db,
    client: openKubernetesClient(settings),
    eviction: {
      unmanagedPods: settings.kubernetesUnmanagedPods,
      localData: settings.kubernetesLocalData,
      forced: settings.kubernetesForced,
    },
    completeSeconds: settings.kubernetesCompleteSeconds,
    readySeconds: settings.kubernetesReadySeconds,
    detachSeconds: settings.kubernetesDetachSeconds,
    taintsUnmaintained: settings.kubernetesTaintUnmaintained === 'on',
    atWorkTaints: settings.kubernetesAtWorkTaints ?? [],
    jobNamespace: settings.jobNamespace,
  });
