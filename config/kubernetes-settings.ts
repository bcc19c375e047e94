/** The settings by which the API of a Kubernetes cluster is reached; rows of the table in settings-table.ts. */
import { optional, withDefault } from './define-setting';
import * as parse from './setting-parsers';

export const kubernetesSettings = {
  kubeconfig: optional('KUBECONFIG', 'in a pod its service account, else `~/.kube/config`', {
    meaning:
      'Kubeconfig files of the cluster, separated by colons, as kubectl reads them; credential plug-ins (exec) of the managed clouds are run.',
    parse: parse.filePaths,
  }),
  kubernetesContext: optional('PARLEY_KUBERNETES_CONTEXT', 'the current context of the kubeconfig', {
    meaning: 'Context of the kubeconfig.',
    parse: parse.anyText,
  }),
  kubernetesServiceHost: optional('KUBERNETES_SERVICE_HOST', 'none', {
    meaning: 'Address of the API server; Kubernetes sets it in every pod.',
    parse: parse.anyText,
  }),
  kubernetesServicePort: withDefault('KUBERNETES_SERVICE_PORT', '443', {
    meaning: 'Its port; Kubernetes sets it in every pod.',
    parse: parse.integer({ min: 1, max: 65_535 }),
  }),
  kubernetesTimeoutSeconds: withDefault('PARLEY_KUBERNETES_TIMEOUT_SECONDS', '15', {
    meaning: 'Seconds that an answer of the Kubernetes API may take.',
    parse: parse.integer({ min: 1, max: 60 }),
  }),
  jobNamespace: optional('PARLEY_JOB_NAMESPACE', 'none: there are no such plug-ins', {
    meaning: 'Namespace in which the action plug-ins `job` and `reboot` run their Jobs.',
    parse: parse.plainName,
  }),
  kubernetesUnmanagedPods: withDefault('PARLEY_KUBERNETES_UNMANAGED_PODS', 'keep', {
    meaning:
      'Pods that no controller makes again, where a session does not say it: `keep` them, so that their node waits for somebody, or `delete` them.',
    parse: parse.oneOf('keep', 'delete'),
  }),
  kubernetesLocalData: withDefault('PARLEY_KUBERNETES_LOCAL_DATA', 'keep', {
    meaning:
      'Pods with data on the disk of their node (`emptyDir`), and those that no other node could take, likewise: `keep` or `delete`.',
    parse: parse.oneOf('keep', 'delete'),
  }),
  kubernetesForced: withDefault('PARLEY_KUBERNETES_FORCED', 'keep', {
    meaning:
      'Pods whose eviction was refused or took too long, likewise: `keep` them, so that their host fails with the reason, or `delete` them past their budgets.',
    parse: parse.oneOf('keep', 'delete'),
  }),
  kubernetesCompleteSeconds: withDefault('PARLEY_KUBERNETES_COMPLETE_SECONDS', '3600', {
    meaning:
      'Seconds for which a drained node waits for pods whose annotation `parley.maintenance/on-drain` is `complete` to end, where a session does not say it; 0: it does not wait.',
    parse: parse.integer({ min: 0, max: 604_800 }),
  }),
  kubernetesReadySeconds: withDefault('PARLEY_KUBERNETES_READY_SECONDS', '300', {
    meaning:
      'Seconds after which a pod that is not Ready is named, and a host that waits for it is set aside where the session allows failed hosts. Until it is Ready it counts as impacted, however long that takes.',
    parse: parse.integer({ min: 0, max: 86_400 }),
  }),
  kubernetesDetachSeconds: withDefault('PARLEY_KUBERNETES_DETACH_SECONDS', '360', {
    meaning: 'Seconds that a host without pods waits for its volumes to be detached.',
    parse: parse.integer({ min: 0, max: 86_400 }),
  }),
  kubernetesAtWorkTaints: optional('PARLEY_KUBERNETES_AT_WORK_TAINTS', 'none', {
    meaning:
      'Further keys of taints, separated by commas, by which others say that they are at work on a node: it is waited for.',
    parse: parse.textList,
  }),
  kubernetesTaintUnmaintained: withDefault('PARLEY_KUBERNETES_TAINT_UNMAINTAINED', 'off', {
    meaning:
      '`on`: while a session of the workflow `k8s` runs, the scheduler prefers other nodes to those that it has still to maintain (a taint PreferNoSchedule).',
    parse: parse.oneOf('off', 'on'),
  }),
} as const;
