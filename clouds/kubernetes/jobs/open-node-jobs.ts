/** Opens the Jobs of the action plug-ins `job` and `reboot`, where the settings name a namespace for them. */
import { type KubernetesAccessSettings, openKubernetesClient } from '../open-client';
import { connectNodeJobs } from './node-jobs';

export interface JobSettings extends KubernetesAccessSettings {
  readonly jobNamespace: string | undefined;
}

/** @throws AccessFault that names what is missing or wrong in the kubeconfig or the pod */
export const openNodeJobs = (settings: JobSettings) =>
  settings.jobNamespace === undefined
    ? undefined
    : connectNodeJobs(openKubernetesClient(settings), settings.jobNamespace);
