/**
 * Counts for every budget the fewest healthy pods that it had. It judges the service, so it has a connection of its own
 * and shares no code with it: Kubernetes' own list and watch over HTTPS, nothing else.
 */
import { readFileSync } from 'node:fs';
import { type IncomingMessage } from 'node:http';
import { Agent, request } from 'node:https';
import { createInterface } from 'node:readline';

export interface BudgetSeen {
  /** With its namespace. */
  readonly name: string;
  /** The fewest pods that were Ready and not ending at any time. */
  readonly fewest: number;
  /** Those that the budget asks for. */
  readonly needed: number;
}

export interface BudgetWatch {
  readonly seen: () => readonly BudgetSeen[];
  /** Counts anew from now on. */
  readonly restart: () => void;
  readonly stop: () => void;
}

interface Condition {
  readonly type: string;
  readonly status: string;
}
interface WatchedPod {
  readonly metadata: {
    readonly uid: string;
    readonly namespace: string;
    readonly labels?: Readonly<Record<string, string>>;
    readonly deletionTimestamp?: string;
  };
  readonly status: { readonly conditions?: readonly Condition[] };
}
interface WatchedBudget {
  readonly metadata: { readonly name: string; readonly namespace: string };
  readonly spec: { readonly selector: { readonly matchLabels: Readonly<Record<string, string>> } };
  readonly status: { readonly desiredHealthy: number };
}
interface ListOf<T> {
  readonly metadata: { readonly resourceVersion: string };
  readonly items: readonly T[];
}

const isHealthy = ({ metadata, status }: WatchedPod): boolean =>
  metadata.deletionTimestamp === undefined &&
  (status.conditions ?? []).some((condition) => condition.type === 'Ready' && condition.status === 'True');

/** The connection that a kubeconfig of start-kubernetes.ts describes, which is JSON. */
export const connectionOf = (kubeconfig: string) => {
  const config = JSON.parse(readFileSync(kubeconfig, 'utf8')) as {
    readonly clusters: readonly { readonly cluster: Readonly<Record<string, string>> }[];
    readonly users: readonly { readonly user: { readonly token: string } }[];
  };
  const { server = '', 'certificate-authority-data': ca = '' } = config.clusters[0]!.cluster;
  const agent = new Agent({ keepAlive: true, ca: Buffer.from(ca, 'base64') });
  const headers = { authorization: `Bearer ${config.users[0]!.user.token}` };
  const get = (path: string): Promise<IncomingMessage> =>
    new Promise((resolve, reject) => {
      request(`${server}${path}`, { agent, headers }, resolve).once('error', reject).end();
    });
  const list = async <T>(path: string): Promise<ListOf<T>> => {
    const chunks: Buffer[] = [];
    for await (const chunk of await get(path)) chunks.push(chunk as Buffer);
    return JSON.parse(Buffer.concat(chunks).toString()) as ListOf<T>;
  };
  return { get, list, close: () => agent.destroy() };
};

/** Budgets that come later are not counted. A watch that breaks is seen as an error of `seen`. */
export const watchBudgets = async (kubeconfig: string): Promise<BudgetWatch> => {
  const { get, list, close } = connectionOf(kubeconfig);
  const { items: budgets } = await list<WatchedBudget>('/apis/policy/v1/poddisruptionbudgets');
  const listed = await list<WatchedPod>('/api/v1/pods');
  const pods = new Map(listed.items.map((pod) => [pod.metadata.uid, pod]));
  const fewest = new Map<WatchedBudget, number>();
  const count = ({ metadata: { namespace }, spec }: WatchedBudget): number =>
    [...pods.values()].filter(
      (pod) =>
        pod.metadata.namespace === namespace &&
        Object.entries(spec.selector.matchLabels).every(([key, value]) => pod.metadata.labels?.[key] === value) &&
        isHealthy(pod),
    ).length;
  const restart = (): void => budgets.forEach((budget) => fewest.set(budget, count(budget)));
  const note = (namespace: string): void => {
    for (const budget of budgets) {
      if (budget.metadata.namespace !== namespace) continue;
      fewest.set(budget, Math.min(fewest.get(budget) ?? Infinity, count(budget)));
    }
  };
  restart();
  let broken: string | undefined;
  const answer = await get(`/api/v1/pods?watch=1&resourceVersion=${listed.metadata.resourceVersion}`);
  const lines = createInterface(answer);
  lines.once('error', (error: Error) => (broken ??= error.message));
  lines.on('line', (line) => {
    const { type, object } = JSON.parse(line) as { readonly type: string; readonly object: WatchedPod };
    if (type === 'ERROR') broken = line;
    else if (type === 'DELETED') pods.delete(object.metadata.uid);
    else pods.set(object.metadata.uid, object);
    if (type !== 'ERROR') note(object.metadata.namespace);
  });
  answer.once('close', () => (broken ??= 'the watch of the judge has ended'));
  answer.once('error', (error) => (broken ??= error.message));
  return {
    seen() {
      if (broken !== undefined) throw new Error(broken);
      return budgets.map((budget) => ({
        name: `${budget.metadata.namespace}/${budget.metadata.name}`,
        fewest: fewest.get(budget) ?? 0,
        needed: budget.status.desiredHealthy,
      }));
    },
    restart,
    stop() {
      answer.destroy();
      close();
    },
  };
};
