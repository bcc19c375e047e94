/** Makes the manifest of a Job that works on one node. */
import { apiGroup } from '../api-group';
import { runLabel } from '../objects/pods';

/** Part of what the action plug-ins order (plugins/actions/kubernetes/node-jobs.ts). */
export interface JobToMake {
  readonly key: string;
  readonly number: number;
  readonly plugin: string;
  readonly node: string;
  readonly sessionId: string;
  readonly work: ContainerWork | TemplateWork;
  readonly environment: Readonly<Record<string, string>>;
  readonly bootId?: string;
  readonly deadlineSeconds?: number;
}

export interface ContainerWork {
  readonly image: string;
  readonly command?: readonly string[];
  readonly args?: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
  readonly host_mounts?: readonly {
    readonly host_path: string;
    readonly mount_path: string;
    readonly read_only?: boolean;
  }[];
  readonly privileged?: boolean;
  readonly host_pid?: boolean;
  readonly host_network?: boolean;
  readonly service_account?: string;
}

type ManifestFields = Readonly<Record<string, unknown>>;

export interface TemplateWork {
  readonly template: {
    readonly metadata?: {
      readonly labels?: Readonly<Record<string, string>>;
      readonly annotations?: Readonly<Record<string, string>>;
    };
    readonly spec: ManifestFields & { readonly containers: readonly ManifestFields[] };
  };
}

export const sessionLabel = `${apiGroup}/session`;
export const pluginLabel = `${apiGroup}/plugin`;
export const nodeAnnotation = `${apiGroup}/node`;
export const toldAnnotation = `${apiGroup}/failure-told`;
export const bootIdAnnotation = `${apiGroup}/boot-id`;
/** Present from the moment at which the Job was let go. */
export const begunAnnotation = `${apiGroup}/begun`;

/** A day, in which a worker that was away still finds how the Job ended. */
const keptSeconds = 86_400;

export const nameOfJob = ({ key, number }: Pick<JobToMake, 'key' | 'number'>): string =>
  `parley-${key}-${String(number)}`;

export const jobManifest = (job: JobToMake, namespace: string) => {
  const labels = {
    [runLabel]: job.key,
    [sessionLabel]: job.sessionId,
    [pluginLabel]: job.plugin,
  };
  const { metadata = {}, spec } = templateOf(job);
  return {
    metadata: {
      name: nameOfJob(job),
      namespace,
      labels,
      annotations: {
        [nodeAnnotation]: job.node,
        ...(job.bootId !== undefined && { [bootIdAnnotation]: job.bootId }),
      },
    },
    spec: {
      // A worker that was silent for long lets it go only after a fresh look at the host.
      suspend: true,
      // It runs once: whether it runs again is the operator's choice, and a second reboot nobody's.
      backoffLimit: 0,
      ttlSecondsAfterFinished: keptSeconds,
      ...(job.deadlineSeconds !== undefined && { activeDeadlineSeconds: job.deadlineSeconds }),
      template: { metadata: { ...metadata, labels: { ...metadata.labels, ...labels } }, spec: pinned(spec, job) },
    },
  };
};

const templateOf = ({ work }: JobToMake): TemplateWork['template'] =>
  'template' in work ? work.template : { spec: podOf(work) };

/** Like a pod of a DaemonSet: it goes to this node whether that is cordoned, tainted or not Ready. */
const pinned = (spec: TemplateWork['template']['spec'], { node, environment }: JobToMake) => {
  const variables = Object.entries(environment).map(([name, value]) => ({ name, value }));
  const withVariables = (container: ManifestFields): ManifestFields => ({
    ...container,
    env: [...variables, ...listIn(container['env'])],
  });
  return {
    ...spec,
    restartPolicy: 'Never',
    containers: spec.containers.map(withVariables),
    affinity: {
      nodeAffinity: {
        requiredDuringSchedulingIgnoredDuringExecution: {
          nodeSelectorTerms: [{ matchFields: [{ key: 'metadata.name', operator: 'In', values: [node] }] }],
        },
      },
    },
    tolerations: [{ operator: 'Exists' }],
  };
};

const listIn = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);

const podOf = (work: ContainerWork): TemplateWork['template']['spec'] => {
  const mounts = work.host_mounts ?? [];
  const container = {
    name: 'work',
    image: work.image,
    ...(work.command && { command: work.command }),
    ...(work.args && { args: work.args }),
    env: Object.entries(work.env ?? {}).map(([name, value]) => ({ name, value })),
    securityContext: work.privileged === true ? { privileged: true } : { allowPrivilegeEscalation: false },
    volumeMounts: mounts.map(({ mount_path: mountPath, read_only: readOnly = false }, index) => ({
      name: nameOfMount(index),
      mountPath,
      readOnly,
    })),
  };
  return {
    containers: [container],
    volumes: mounts.map(({ host_path: hostPath }, index) => ({
      name: nameOfMount(index),
      hostPath: { path: hostPath },
    })),
    hostPID: work.host_pid === true,
    hostNetwork: work.host_network === true,
    ...(work.service_account === undefined
      ? { automountServiceAccountToken: false }
      : { serviceAccountName: work.service_account }),
  };
};

const nameOfMount = (index: number): string => `host-${String(index)}`;
