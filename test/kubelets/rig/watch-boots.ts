/**
 * Notes every boot of every node, and which nodes are cordoned. It judges the service, so it shares no code with it:
 * Kubernetes' own list and watch over HTTPS, nothing else.
 */
import { createInterface } from 'node:readline';
import { connectionOf } from '../../kubernetes/rig/watch-budgets';

interface WatchedNode {
  readonly metadata: { readonly name: string };
  readonly spec: { readonly unschedulable?: boolean };
  readonly status: { readonly nodeInfo: { readonly bootID: string } };
}

export interface BootWatch {
  /** The number of boots of each node since the start of the watch, and before it one. */
  readonly boots: () => Readonly<Record<string, number>>;
  readonly cordoned: () => readonly string[];
  readonly stop: () => void;
}

export const watchBoots = async (kubeconfig: string): Promise<BootWatch> => {
  const { get, list, close } = connectionOf(kubeconfig);
  const listed = await list<WatchedNode>('/api/v1/nodes');
  const boots = new Map<string, Set<string>>();
  const cordoned = new Set<string>();
  const note = ({ metadata: { name }, spec, status }: WatchedNode): void => {
    boots.set(name, (boots.get(name) ?? new Set()).add(status.nodeInfo.bootID));
    if (spec.unschedulable === true) cordoned.add(name);
    else cordoned.delete(name);
  };
  listed.items.forEach(note);
  let broken: string | undefined;
  const answer = await get(`/api/v1/nodes?watch=1&resourceVersion=${listed.metadata.resourceVersion}`);
  const lines = createInterface(answer).once('error', (error: Error) => (broken ??= error.message));
  lines.on('line', (line) => {
    const { type, object } = JSON.parse(line) as { readonly type: string; readonly object: WatchedNode };
    if (type === 'ERROR') broken = line;
    else note(object);
  });
  answer.once('error', (error) => (broken ??= error.message));
  answer.once('close', () => (broken ??= 'the watch of the judge has ended'));
  const seen = <T>(what: T): T => {
    if (broken !== undefined) throw new Error(broken);
    return what;
  };
  return {
    boots: () => seen(Object.fromEntries([...boots].map(([name, ids]) => [name, ids.size]))),
    cordoned: () => seen([...cordoned].sort()),
    stop() {
      answer.destroy();
      close();
    },
  };
};
