/**
 * What fits where in the simulated cloud: hosts have labels, and instances need some of them. Amounts apart, and beside
 * groups.
 */
import type { Amounts } from '../cloud/amounts';

/** A host or an instance of a fleet file. */
export interface SimulatedSize {
  readonly vcpus: number;
  readonly memoryMb: number;
  /** Further resources by name; left out: none. */
  readonly amounts?: Amounts;
}

export const simulatedAmounts = ({ vcpus, memoryMb, amounts }: SimulatedSize): Amounts => ({
  VCPU: vcpus,
  MEMORY_MB: memoryMb,
  ...amounts,
});

interface Needs {
  readonly labels: readonly string[];
  /** Its server group, and refusals that a fleet file asks for: the cloud refuses alike what has the same of these. */
  readonly groupId: string | null;
  readonly refusedBy: readonly string[];
}

export interface SimulatedNeeds {
  readonly needs?: readonly string[];
  readonly groupId?: string | null;
  readonly refusedBy?: readonly string[];
}

/** The class of a host; empty without labels. */
export const offersOf = ({ labels = [] }: { readonly labels?: readonly string[] }): string =>
  labels.length === 0 ? '' : JSON.stringify(labels.toSorted());

/** The class of an instance; empty where it needs nothing special. */
export const needsOf = ({ needs = [], groupId = null, refusedBy = [] }: SimulatedNeeds): string => {
  if (needs.length + refusedBy.length === 0 && groupId === null) return '';
  return JSON.stringify({ labels: needs.toSorted(), groupId, refusedBy: refusedBy.toSorted() } satisfies Needs);
};

/** What a host of the class lacks that an instance of the class needs, in words; undefined: nothing. */
export const simulatedWhyNot = (needs: string, offers: string): string | undefined => {
  if (needs === '') return undefined;
  const { labels } = JSON.parse(needs) as Needs;
  const offered = new Set(offers === '' ? [] : (JSON.parse(offers) as readonly string[]));
  const missing = labels.filter((label) => !offered.has(label));
  return missing.length === 0 ? undefined : `label ${missing.join(' and label ')}`;
};
