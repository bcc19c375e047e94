/**
 * What a drain has to be careful with, on three or more nodes: a deployment and a StatefulSet with budgets, which start
 * and end slowly, a DaemonSet, a Job, and a deployment with local data.
 */
import type { KubernetesClient } from '../../../clouds/kubernetes/client/kubernetes-client';
import { isPodReady, pods } from '../../../clouds/kubernetes/objects/pods';
import { eventually } from '../../waiting/eventually';

export const namespace = 'default';
const image = 'parley.local/app:1';

/** The pod of the Job ends with its eviction, and that of the DaemonSet is of its node. */
const lastingPods = 8;

const ofApp = (app: string) => ({ selector: { matchLabels: { app } } });
const requests = (cpu: string, memory: string) => ({ resources: { requests: { cpu, memory } } });
/** Variables of app.sh. */
const env = (values: Readonly<Record<string, string>>) => ({
  env: Object.entries(values).map(([name, value]) => ({ name, value })),
});
/** Patient, so that a busy machine restarts nothing. */
const readiness = (periodSeconds: number) => ({
  readinessProbe: {
    ...{ httpGet: { path: '/ready', port: 8080 }, periodSeconds },
    ...{ timeoutSeconds: 10, failureThreshold: 1 },
  },
});

const podOf = (app: string, container: object, spec: object = {}) => ({
  metadata: { labels: { app } },
  spec: { ...spec, containers: [{ name: 'main', image, ...container }] },
});

const web = {
  metadata: { name: 'web' },
  spec: {
    replicas: 4,
    ...ofApp('web'),
    template: podOf(
      'web',
      {
        ...env({ START: '3', STOP: '2' }),
        ...readiness(1),
        livenessProbe: { httpGet: { path: '/alive', port: 8080 }, timeoutSeconds: 10 },
        ...requests('100m', '64Mi'),
      },
      {
        topologySpreadConstraints: [
          {
            ...{ maxSkew: 1, topologyKey: 'kubernetes.io/hostname', whenUnsatisfiable: 'ScheduleAnyway' },
            labelSelector: { matchLabels: { app: 'web' } },
          },
        ],
      },
    ),
  },
};

const store = {
  metadata: { name: 'store' },
  spec: {
    ...{ serviceName: 'store', replicas: 3, podManagementPolicy: 'Parallel' },
    ...ofApp('store'),
    template: podOf(
      'store',
      {
        ...env({ START: '20' }),
        ...readiness(2),
        lifecycle: { preStop: { exec: { command: ['sleep', '10'] } } },
        ...requests('200m', '128Mi'),
      },
      {
        terminationGracePeriodSeconds: 40,
        affinity: {
          podAntiAffinity: {
            requiredDuringSchedulingIgnoredDuringExecution: [
              { topologyKey: 'kubernetes.io/hostname', labelSelector: { matchLabels: { app: 'store' } } },
            ],
          },
        },
      },
    ),
  },
};

const agent = {
  metadata: { name: 'agent' },
  spec: {
    ...ofApp('agent'),
    template: podOf('agent', requests('50m', '32Mi'), { tolerations: [{ operator: 'Exists' }] }),
  },
};

const batch = {
  metadata: { name: 'batch' },
  spec: {
    template: podOf('batch', { ...env({ RUN: '7200' }), ...requests('100m', '64Mi') }, { restartPolicy: 'Never' }),
  },
};

const scratch = {
  metadata: { name: 'scratch' },
  spec: {
    ...ofApp('scratch'),
    template: podOf(
      'scratch',
      { volumeMounts: [{ name: 'data', mountPath: '/data' }], ...requests('100m', '64Mi') },
      { volumes: [{ name: 'data', emptyDir: {} }] },
    ),
  },
};

const budget = (app: string) => ({ metadata: { name: app }, spec: { maxUnavailable: 1, ...ofApp(app) } });
const storeService = { metadata: { name: 'store' }, spec: { clusterIP: 'None', selector: { app: 'store' } } };

const objects: readonly (readonly [path: string, body: object])[] = [
  [`/apis/apps/v1/namespaces/${namespace}/deployments`, web],
  [`/apis/policy/v1/namespaces/${namespace}/poddisruptionbudgets`, budget('web')],
  [`/api/v1/namespaces/${namespace}/services`, storeService],
  [`/apis/apps/v1/namespaces/${namespace}/statefulsets`, store],
  [`/apis/policy/v1/namespaces/${namespace}/poddisruptionbudgets`, budget('store')],
  [`/apis/apps/v1/namespaces/${namespace}/daemonsets`, agent],
  [`/apis/batch/v1/namespaces/${namespace}/jobs`, batch],
  [`/apis/apps/v1/namespaces/${namespace}/deployments`, scratch],
];

/** Makes them, and waits until their pods are Ready. */
export const makeApplications = async (admin: KubernetesClient): Promise<void> => {
  for (const [path, body] of objects) await admin.call({ method: 'POST', path, body });
  await applicationsReady(admin);
};

export const applicationsReady = (admin: KubernetesClient): Promise<unknown> =>
  eventually('the pods of all applications are Ready', async () => {
    const { items } = await admin.list(pods, { namespace, labelSelector: 'app notin (agent,batch)' });
    const ready = items.filter((pod) => isPodReady(pod) && pod.metadata.deletionTimestamp === undefined);
    return ready.length === lastingPods || undefined;
  });
