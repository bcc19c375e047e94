/** The Jobs by which action plug-ins work on nodes. Each call looks at the API server anew. */
import { Type } from '@sinclair/typebox';
import type { KubernetesClient } from '../client/kubernetes-client';
import { isStatus } from '../client/kubernetes-error';
import { defineResource, type ObjectOf } from '../client/resource';
import { runLabel } from '../objects/pods';
import {
  begunAnnotation,
  bootIdAnnotation,
  jobManifest,
  type JobToMake,
  nameOfJob,
  nodeAnnotation,
  pluginLabel,
  sessionLabel,
  toldAnnotation,
} from './job-manifest';

const optionalText = Type.Optional(Type.String());

const condition = Type.Object({
  type: Type.String(),
  status: Type.String(),
  reason: optionalText,
  message: optionalText,
});

const jobsResource = defineResource({
  apiVersion: 'batch/v1',
  kind: 'Job',
  isNamespaced: true,
  fields: { status: Type.Optional(Type.Object({ conditions: Type.Optional(Type.Array(condition)) })) },
});
type FoundJob = ObjectOf<typeof jobsResource>;

const waiting = Type.Object({ reason: optionalText, message: optionalText });

const podsResource = defineResource({
  apiVersion: 'v1',
  kind: 'Pod',
  isNamespaced: true,
  fields: {
    spec: Type.Optional(Type.Object({ nodeName: optionalText })),
    status: Type.Optional(
      Type.Object({
        phase: optionalText,
        conditions: Type.Optional(Type.Array(condition)),
        containerStatuses: Type.Optional(
          Type.Array(Type.Object({ state: Type.Optional(Type.Object({ waiting: Type.Optional(waiting) })) })),
        ),
      }),
    ),
  },
});
type FoundPod = ObjectOf<typeof podsResource>;

const nodesResource = defineResource({
  apiVersion: 'v1',
  kind: 'Node',
  isNamespaced: false,
  fields: {
    status: Type.Optional(
      Type.Object({
        conditions: Type.Optional(Type.Array(condition)),
        nodeInfo: Type.Optional(Type.Object({ bootID: Type.String() })),
      }),
    ),
  },
});

type JobClient = Pick<KubernetesClient, 'get' | 'list' | 'create' | 'patch' | 'delete' | 'call'>;

const mostLines = 20;
const longestText = 4_000;

export const connectNodeJobs = (client: JobClient, namespace: string) => ({
  namespace,
  ...callsAboutJobs(client, namespace),
  ...callsAboutLeftJobs(client, namespace),
  ...callsAboutPods(client, namespace),
  findNode: (name: string) => findNode(client, name),
});

const findNode = async (client: JobClient, name: string) => {
  const node = await client.get(nodesResource, { name });
  if (node === undefined) return undefined;
  const { conditions = [], nodeInfo } = node.status ?? {};
  const isReady = conditions.some(({ type, status }) => type === 'Ready' && status === 'True');
  return { bootId: nodeInfo?.bootID ?? '', isReady };
};

const callsAboutJobs = (client: JobClient, namespace: string) => ({
  findJobs: async (key: string) => {
    const { items } = await client.list(jobsResource, { namespace, labelSelector: `${runLabel}=${key}` });
    return items.map(describeJob);
  },
  findJob: async (name: string) => {
    const job = await client.get(jobsResource, { name, namespace });
    return job && describeJob(job);
  },
  makeJob: async (job: JobToMake) => {
    try {
      return describeJob(await client.create(jobsResource, jobManifest(job, namespace)));
    } catch (error) {
      if (isStatus(error, 409)) {
        const begun = await client.get(jobsResource, { name: nameOfJob(job), namespace });
        if (begun !== undefined) return describeJob(begun);
      }
      if (isStatus(error, 400, 403, 404, 422)) return error.details.said;
      throw error;
    }
  },
  letGo: async (name: string) => {
    const patch = { metadata: { annotations: { [begunAnnotation]: 'true' } }, spec: { suspend: false } };
    try {
      await client.patch(jobsResource, { name, namespace }, { patch, type: 'merge' });
      return true;
    } catch (error) {
      if (!isStatus(error, 404)) throw error;
      return false;
    }
  },
  markTold: async (name: string) => {
    const patch = { metadata: { annotations: { [toldAnnotation]: 'true' } } };
    await client.patch(jobsResource, { name, namespace }, { patch, type: 'merge' });
  },
  deleteJob: async (name: string) => {
    await client.delete(jobsResource, { name, namespace }, { propagationPolicy: 'Background' });
  },
});

const callsAboutLeftJobs = (client: JobClient, namespace: string) => ({
  stopJob: async (name: string) => {
    try {
      await client.patch(jobsResource, { name, namespace }, { patch: { spec: { suspend: true } }, type: 'merge' });
    } catch (error) {
      // Somebody has deleted it, which stops it as well.
      if (!isStatus(error, 404)) throw error;
    }
  },
  findUnfinished: async () => {
    // The others of the last day need not be read.
    const which = { labelSelector: sessionLabel, fieldSelector: 'status.successful=0' };
    const { items } = await client.list(jobsResource, { namespace, ...which });
    return items.filter((job) => describeJob(job).phase === 'running').map(describeOrder);
  },
});

const callsAboutPods = (client: JobClient, namespace: string) => {
  const podOf = async (name: string): Promise<FoundPod | undefined> => {
    const labelSelector = `batch.kubernetes.io/job-name=${name}`;
    return (await client.list(podsResource, { namespace, labelSelector })).items.at(-1);
  };
  return {
    lastLines: async (name: string) => {
      const pod = await podOf(name);
      if (pod === undefined) return 'its pod is gone, and its output with it';
      return readLog(client, namespace, pod.metadata.name);
    },
    whatStillRuns: async (key: string) => {
      const { items } = await client.list(podsResource, { namespace, labelSelector: `${runLabel}=${key}` });
      const running: string[] = [];
      for (const pod of items) if (await mayStillAct(client, pod)) running.push(pod.metadata.name);
      return running.length === 0 ? undefined : `pod ${running.join(', ')} (namespace ${namespace})`;
    },
    whyNotRunning: async (name: string) => {
      const pod = await podOf(name);
      return pod === undefined
        ? `it has no pod yet; kubectl --namespace ${namespace} describe job ${name} says why`
        : waitOf(pod);
    },
  };
};

/**
 * A pod acts until its containers have ended. On a node that is silent nothing is seen of that; the kubelet that comes
 * back starts no container of a pod that is to end.
 */
const mayStillAct = async (client: JobClient, { metadata, spec, status }: FoundPod): Promise<boolean> => {
  if (status?.phase === 'Succeeded' || status?.phase === 'Failed') return false;
  if (metadata.deletionTimestamp === undefined) return true;
  if (spec?.nodeName === undefined) return false;
  return (await findNode(client, spec.nodeName))?.isReady === true;
};

const describeOrder = ({ metadata: { name, labels = {}, annotations = {} } }: FoundJob) => ({
  name,
  plugin: labels[pluginLabel] ?? '',
  sessionId: labels[sessionLabel] ?? '',
  node: annotations[nodeAnnotation] ?? '',
});

const describeJob = ({ metadata, status }: FoundJob) => {
  const isTrue = (wanted: string) => status?.conditions?.find((one) => one.type === wanted && one.status === 'True');
  const failed = isTrue('Failed');
  const bootId = metadata.annotations?.[bootIdAnnotation];
  const phase = failed ? 'failed' : isTrue('Complete') ? 'complete' : 'running';
  const reason = wordsOf(failed);
  return {
    name: metadata.name,
    phase,
    isTold: metadata.annotations?.[toldAnnotation] === 'true',
    hasBegun: metadata.annotations?.[begunAnnotation] === 'true',
    ...(bootId !== undefined && { bootId }),
    ...(reason !== '' && { reason }),
  } as const;
};

const waitOf = ({ status }: FoundPod): string | undefined => {
  if (status?.phase !== 'Pending') return undefined;
  const { containerStatuses = [], conditions = [] } = status;
  const container = containerStatuses.find(({ state }) => state?.waiting)?.state?.waiting;
  const unscheduled = conditions.find((one) => one.type === 'PodScheduled' && one.status === 'False');
  return wordsOf(container ?? unscheduled) || 'its pod is pending';
};

const wordsOf = (told: { readonly reason?: string; readonly message?: string } = {}): string =>
  [told.reason, told.message].filter((each) => each !== undefined && each !== '').join(': ');

/** A record without the output is better than none: the node that has it may be down. */
const readLog = async (client: JobClient, namespace: string, pod: string): Promise<string> => {
  const path = `/api/v1/namespaces/${namespace}/pods/${pod}/log?tailLines=${String(mostLines)}`;
  try {
    const text = await client.call({ method: 'GET', path }, 1);
    return typeof text === 'string' ? text.trim().slice(-longestText) : 'it has written nothing';
  } catch (error) {
    return `its output cannot be read: ${error instanceof Error ? error.message : String(error)}`;
  }
};
