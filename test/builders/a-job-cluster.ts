/**
 * The part of an API server, its Job controller and its kubelets that the action plug-ins `job` and `reboot` see. Its
 * answers have the form of the real one's.
 */
import type { KubernetesClient } from '../../clouds/kubernetes/client/kubernetes-client';
import { KubernetesError } from '../../clouds/kubernetes/client/kubernetes-error';
import type { Resource } from '../../clouds/kubernetes/client/resource';

type Fields = Record<string, unknown>;

interface StoredJob {
  readonly metadata: { readonly name: string; readonly labels: Fields; annotations: Fields };
  readonly spec: Fields;
  status: Fields;
}

type JobClient = Pick<KubernetesClient, 'get' | 'list' | 'create' | 'patch' | 'delete' | 'call'>;

const refusal = (status: number, said: string): KubernetesError =>
  new KubernetesError(`the Kubernetes API answered ${String(status)}: ${said}`, status, { said, causes: [] });

export const aJobCluster = () => {
  const jobs = new Map<string, StoredJob>();
  const deleted: string[] = [];
  const letGo: string[] = [];
  const node = { bootId: 'boot-1', isReady: true };
  /** Pods that are to end, and whose Jobs are gone. */
  const ending: Fields[] = [];
  const pod = { status: { phase: 'Running' } as Fields };
  let log: string | Error = 'patched 3 packages\n';
  let refuses: Error | undefined;
  let onPoll: () => void = () => undefined;
  let onNode: () => void = () => undefined;

  const nodeObject = (name: string) => ({
    metadata: { name },
    status: {
      conditions: [{ type: 'Ready', status: node.isReady ? 'True' : 'Unknown' }],
      nodeInfo: { bootID: node.bootId },
    },
  });

  const client: JobClient = {
    async get<T>(resource: Resource<T>, { name }: { readonly name: string }): Promise<T | undefined> {
      await Promise.resolve();
      if (resource.kind === 'Node') {
        onNode();
        return resource.parse(nodeObject(name));
      }
      onPoll();
      const job = jobs.get(name);
      return job && resource.parse(structuredClone(job));
    },
    async list<T>(resource: Resource<T>, { labelSelector = '' } = {}) {
      await Promise.resolve();
      const [label = '', value] = labelSelector.split('=');
      const labelled = [...jobs.values()].filter(({ metadata }) =>
        value === undefined ? label in metadata.labels : metadata.labels[label] === value,
      );
      const podsOf = (name: string) => [{ metadata: { name: `${name}-abcde` }, ...pod }];
      const podsFound = () =>
        label === 'batch.kubernetes.io/job-name'
          ? [...(jobs.has(value ?? '') ? podsOf(value ?? '') : [])]
          : [...labelled.flatMap(({ metadata: { name } }) => podsOf(name)), ...ending];
      const found = resource.kind === 'Job' ? labelled : podsFound();
      return { items: found.map((each) => resource.parse(structuredClone(each))), resourceVersion: '1' };
    },
    async create<T>(resource: Resource<T>, object: Fields): Promise<T> {
      await Promise.resolve();
      if (refuses !== undefined) throw refuses;
      const job = structuredClone({ ...object, status: {} }) as unknown as StoredJob;
      if (jobs.has(job.metadata.name)) throw refusal(409, `jobs.batch "${job.metadata.name}" already exists`);
      jobs.set(job.metadata.name, job);
      return resource.parse(structuredClone(job));
    },
    async patch<T>(resource: Resource<T>, { name }: { readonly name: string }, { patch }: { readonly patch: unknown }) {
      await Promise.resolve();
      const job = jobs.get(name);
      if (job === undefined) throw refusal(404, `jobs.batch "${name}" not found`);
      const { metadata, spec } = patch as Partial<StoredJob>;
      Object.assign(job.metadata.annotations, metadata?.annotations);
      Object.assign(job.spec, spec);
      if (spec?.['suspend'] === false) letGo.push(name);
      return resource.parse(structuredClone(job));
    },
    async delete(_, { name }) {
      await Promise.resolve();
      deleted.push(name);
      return jobs.delete(name);
    },
    async call() {
      await Promise.resolve();
      if (log instanceof Error) throw log;
      return log;
    },
  };

  const end = (type: 'Complete' | 'Failed', reason?: string): void => {
    for (const job of jobs.values()) job.status = { conditions: [{ type, status: 'True', ...(reason && { reason }) }] };
  };

  return {
    client,
    jobs,
    deleted,
    /** Jobs that were let run, in this order. */
    letGo,
    node,
    /** Ends all Jobs that there are. */
    end,
    /** Leaves a pod of a deleted Job on the node. */
    leavePod: (name: string) => {
      const metadata = { name, deletionTimestamp: '2026-01-01T00:00:00Z' };
      ending.push({ metadata, spec: { nodeName: 'node-1' }, status: { phase: 'Running' } });
    },
    setPod: (status: Fields) => {
      pod.status = status;
    },
    setLog: (text: string | Error) => {
      log = text;
    },
    refuseJobs: (status: number, said: string) => {
      refuses = refusal(status, said);
    },
    /** Happens at each look at the node. */
    atEachNode: (happens: (() => unknown)[]) => {
      onNode = () => happens.shift()?.();
    },
    /** Happens at each look at a Job. */
    atEachLook: (happens: (() => void)[]) => {
      onPoll = () => happens.shift()?.();
    },
  };
};
