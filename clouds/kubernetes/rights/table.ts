/**
 * The rights that the service needs in a cluster. The manifest of its role (deploy/helm/parley/files) gives exactly
 * these, and a test compares them.
 */

export type Verb = 'get' | 'list' | 'watch' | 'create' | 'patch' | 'delete';

/**
 * The roles of the Helm chart.
 * - driver: what every session needs.
 * - deletePods: what a cluster's admin allows on top (a value of the chart).
 * - surge: to raise replicas for a while, which a cluster's admin allows on top (a value of the chart).
 * - jobs: the action plug-ins `job` and `reboot`, in the namespace of their Jobs only.
 * - jobNodes: what `reboot` reads beside that, in the whole cluster.
 * - identity: PARLEY_AUTH=kubernetes.
 */
export type Role = 'driver' | 'deletePods' | 'surge' | 'jobs' | 'jobNodes' | 'identity';

export interface KubernetesRight {
  readonly role: Role;
  /** Empty: the core group. */
  readonly group: string;
  /** With its subresource, such as `pods/eviction`. */
  readonly resource: string;
  readonly verbs: readonly Verb[];
  /** Follows "needed to". */
  readonly neededTo: string;
  /** Limits: what is lost without the right. Left out: no work on a host begins without it. */
  readonly lost?: string;
}

const follow = ['get', 'list', 'watch'] as const;

const toSee: readonly KubernetesRight[] = [
  { role: 'driver', group: '', resource: 'nodes', verbs: follow, neededTo: 'know the hosts' },
  { role: 'driver', group: '', resource: 'pods', verbs: follow, neededTo: 'know what runs on each host' },
  { role: 'driver', group: '', resource: 'namespaces', verbs: follow, neededTo: 'know the projects and their names' },
  {
    role: 'driver',
    group: 'policy',
    resource: 'poddisruptionbudgets',
    verbs: follow,
    neededTo: 'keep every budget, and to name the one that blocks',
  },
  {
    role: 'driver',
    group: 'apps',
    resource: 'replicasets',
    verbs: follow,
    neededTo: 'know which pods belong together',
  },
];

const toAct: readonly KubernetesRight[] = [
  { role: 'driver', group: '', resource: 'nodes', verbs: ['patch'], neededTo: 'cordon and uncordon hosts' },
  {
    role: 'driver',
    group: '',
    resource: 'pods/eviction',
    verbs: ['create'],
    neededTo: 'evict pods within their budgets',
  },
];

const noticed = 'that another tool is at work on a node is noticed only when it has set a condition or cordoned it';

const forMore: readonly KubernetesRight[] = [
  {
    role: 'driver',
    group: 'apps',
    resource: 'daemonsets',
    verbs: ['list'],
    neededTo: 'see which node kured has locked',
    lost: noticed,
  },
  {
    role: 'driver',
    group: 'nodemaintenance.medik8s.io',
    resource: 'nodemaintenances',
    verbs: ['list'],
    neededTo: 'see which nodes the Node Maintenance Operator has in maintenance',
    lost: noticed,
  },
  {
    role: 'driver',
    group: 'storage.k8s.io',
    resource: 'volumeattachments',
    verbs: ['list'],
    neededTo: 'wait until the volumes of a drained node are detached',
    lost: 'a node counts as empty while volumes are still attached to it',
  },
  {
    role: 'driver',
    group: '',
    resource: 'nodes/status',
    verbs: ['patch'],
    neededTo: 'set the lifecycle conditions of nodes under work',
    lost: 'no condition of a node tells others that it is drained and maintained',
  },
  {
    role: 'driver',
    group: '',
    resource: 'events',
    verbs: ['create'],
    neededTo: 'tell on nodes and pods what happens to them',
    lost: 'kubectl describe does not tell what a session does with a node or why a pod waits',
  },
  ...['persistentvolumeclaims', 'persistentvolumes'].map((resource): KubernetesRight => ({
    role: 'driver',
    group: '',
    resource,
    verbs: follow,
    neededTo: 'see which pods are bound to a node by their volumes',
    lost: 'that a volume binds a pod to its node is noticed when its replacement cannot be placed',
  })),
  {
    role: 'driver',
    group: 'apps',
    resource: 'statefulsets',
    verbs: follow,
    neededTo: 'read the annotations of StatefulSets',
    lost: 'annotations of a StatefulSet do not count, only those of its pods and of the namespace',
  },
  {
    role: 'driver',
    group: 'scheduling.k8s.io',
    resource: 'podgroups',
    verbs: follow,
    neededTo: 'know which pods are disrupted together (gangs)',
    lost: 'pods of a PodGroup whose disruption mode is the whole group are moved one by one',
  },
  ...[
    ['storage.k8s.io', 'csinodes'],
    ['resource.k8s.io', 'resourceslices'],
  ].map(([group = '', resource = '']): KubernetesRight => ({
    role: 'driver',
    ...{ group, resource },
    verbs: follow,
    neededTo: 'know which CSI drivers and DRA devices a node has',
    lost: 'a node counts as back from its maintenance before these are there',
  })),
  {
    role: 'driver',
    group: 'batch',
    resource: 'jobs',
    verbs: follow,
    neededTo: 'know which Jobs fail for good when one of their pods is evicted',
    lost: 'plans do not warn of such Jobs',
  },
  {
    role: 'deletePods',
    group: '',
    resource: 'pods',
    verbs: ['delete'],
    neededTo: 'delete pods that cannot be evicted, where the settings or a session allow that',
    lost: 'a pod that cannot be evicted stays, and its host fails with the reason',
  },
];

const noSurge = 'a pod whose budget never lets it go stays, whatever its annotation parley.maintenance/surge says';

const forSurge: readonly KubernetesRight[] = [
  {
    role: 'surge',
    group: 'apps',
    resource: 'deployments',
    verbs: [...follow, 'patch'],
    neededTo: 'raise the replicas of a Deployment that asks for it, and set them back',
    lost: noSurge,
  },
  {
    role: 'surge',
    group: 'autoscaling',
    resource: 'horizontalpodautoscalers',
    verbs: [...follow, 'patch'],
    neededTo: 'raise the least replicas of an autoscaler that would undo that',
    lost: noSurge,
  },
];

const forJobs: readonly KubernetesRight[] = [
  {
    role: 'jobs',
    group: 'batch',
    resource: 'jobs',
    verbs: ['get', 'list', 'create', 'patch', 'delete'],
    neededTo: 'run the Jobs that maintain a node',
    lost: 'the action plug-in `job` fails',
  },
  {
    role: 'jobs',
    group: '',
    resource: 'pods',
    verbs: ['get', 'list'],
    neededTo: 'tell why such a Job does not start',
    lost: 'the action plug-in `job` does not tell why its pod does not start',
  },
  {
    role: 'jobs',
    group: '',
    resource: 'pods/log',
    verbs: ['get'],
    neededTo: 'keep the last lines that such a Job has written',
    lost: 'the record of the action plug-in `job` has no log',
  },
  {
    role: 'jobNodes',
    group: '',
    resource: 'nodes',
    verbs: ['get'],
    neededTo: 'see that a node is Ready again with another boot ID',
    lost: 'the action plug-in `reboot` fails',
  },
];

const forIdentity: readonly KubernetesRight[] = [
  {
    role: 'identity',
    group: 'authentication.k8s.io',
    resource: 'tokenreviews',
    verbs: ['create'],
    neededTo: 'ask whose token a caller has',
  },
  {
    role: 'identity',
    group: 'authorization.k8s.io',
    resource: 'subjectaccessreviews',
    verbs: ['create'],
    neededTo: 'ask whether a caller is an admin, or the manager of a namespace',
  },
  { role: 'identity', group: '', resource: 'namespaces', verbs: ['get'], neededTo: 'know the ID of a namespace' },
];

export const rightsTable: readonly KubernetesRight[] = [
  ...toSee,
  ...toAct,
  ...forMore,
  ...forSurge,
  ...forJobs,
  ...forIdentity,
];
