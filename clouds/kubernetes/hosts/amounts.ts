/**
 * Amounts of nodes and pods, by names with their units: `cpu_millicores`, `memory_mib`, `pods`, and every other
 * resource by Kubernetes' own name. What a pod requests is what the scheduler counts.
 */
import type { Amounts } from '../../../rules/cloud/amounts';
import type { Node } from '../objects/nodes';
import type { Pod, PodSpec } from '../objects/pods';
import { quantity } from '../objects/quantity';

const mib = 2 ** 20;

/** A resource as it is counted here. What a pod takes is rounded up, what a node has is rounded down. */
interface Counted {
  readonly name: string;
  readonly unit: number;
}

const countedAs = (resource: string): Counted => {
  if (resource === 'cpu') return { name: 'cpu_millicores', unit: 1e-3 };
  if (resource === 'memory') return { name: 'memory_mib', unit: mib };
  if (resource === 'ephemeral-storage') return { name: 'ephemeral_storage_mib', unit: mib };
  if (resource.startsWith('hugepages-')) return { name: `${resource}_mib`, unit: mib };
  return { name: resource, unit: 1 };
};

type Quantities = Readonly<Record<string, string>>;
type Sum = ReadonlyMap<string, number>;

const read = (quantities: Quantities = {}): Sum =>
  new Map(Object.entries(quantities).map(([resource, text]) => [resource, quantity(text)]));

const combined = (sums: readonly Sum[], combine: (one: number, other: number) => number): Sum => {
  const all = new Map<string, number>();
  for (const sum of sums) {
    for (const [resource, amount] of sum) all.set(resource, combine(all.get(resource) ?? 0, amount));
  }
  return all;
};

const add = (sums: readonly Sum[]): Sum => combined(sums, (one, other) => one + other);
const greatest = (sums: readonly Sum[]): Sum => combined(sums, Math.max);

type InitContainer = NonNullable<PodSpec['initContainers']>[number];

/** What the pod requests as a whole counts in place of what its containers request of that resource. */
const requestsOf = (spec: PodSpec): Sum => {
  const ofPod = [...read(spec.resources?.requests)].filter(([resource]) => countsForPod(resource));
  return add([new Map([...requestsOfContainers(spec), ...ofPod]), read(spec.overhead)]);
};

/** Devices are requested by containers alone. */
const countsForPod = (resource: string): boolean =>
  resource === 'cpu' || resource === 'memory' || resource.startsWith('hugepages-');

/**
 * Init containers run one after another before the others, beside the sidecars that began before them
 * (`restartPolicy: Always`), which stay.
 */
const requestsOfContainers = ({ containers, initContainers = [] }: PodSpec): Sum => {
  const requests = ({ resources }: Pick<InitContainer, 'resources'>): Sum => read(resources?.requests);
  let sidecars: Sum = new Map();
  const whileStarting: Sum[] = [];
  for (const container of initContainers) {
    const now = add([sidecars, requests(container)]);
    whileStarting.push(now);
    if (container.restartPolicy === 'Always') sidecars = now;
  }
  const running = add([sidecars, ...containers.map(requests)]);
  return greatest([running, ...whileStarting]);
};

const named = (sum: Sum, round: (amount: number) => number): Amounts =>
  Object.fromEntries(
    [...sum].flatMap(([resource, amount]) => {
      const { name, unit } = countedAs(resource);
      const counted = round(Number((amount / unit).toPrecision(12))); // 0.1 cores are 100 millicores, not 100.00000000000001
      return counted > 0 ? [[name, counted]] : [];
    }),
  );

export const amountsOfPod = ({ spec }: Pod): Amounts => ({ ...named(requestsOf(spec), Math.ceil), pods: 1 });

/** What a node has of its devices and huge pages, which come some time after it is Ready. */
export const devicesOfNode = ({ status }: Node): Amounts =>
  Object.fromEntries(
    Object.entries(status?.allocatable ?? {})
      .filter(([resource]) => !ofEveryNode.has(resource))
      .map(([resource, text]) => {
        const { name, unit } = countedAs(resource);
        return [name, Math.floor(quantity(text) / unit)];
      }),
  );

const ofEveryNode: ReadonlySet<string> = new Set(['cpu', 'memory', 'ephemeral-storage', 'pods']);

/** What instances may take of a node: what it can allocate, without the pods that belong to it. */
export const amountsOfNode = ({ status }: Node, itsOwnPods: readonly Pod[]): Amounts => {
  const taken = add(itsOwnPods.flatMap(({ spec }) => [requestsOf(spec), new Map([['pods', 1]])]));
  const allocatable = [...read(status?.allocatable)];
  return named(new Map(allocatable.map(([name, amount]) => [name, amount - (taken.get(name) ?? 0)])), Math.floor);
};
