/** The hosts that a request is about, by their names and by a selector. */
import type { HostLabels } from './labels';
import { type Selector, selects } from './selector';

export interface HostsWanted {
  readonly named: readonly string[];
  /** Left out: none. */
  readonly selector?: Selector;
  readonly except: readonly string[];
}

interface LabelledHost {
  readonly name: string;
  readonly labels?: HostLabels;
}

/** Those that are named or selected, or else all, without the exceptions; each once, the named ones first. */
export const wantedHosts = (
  hosts: readonly LabelledHost[],
  { named, selector, except }: HostsWanted,
): readonly string[] => {
  const isForAll = named.length === 0 && selector === undefined;
  const selected = hosts.filter(({ labels = {} }) => isForAll || (selector !== undefined && selects(selector, labels)));
  const left = new Set([...named, ...selected.map(({ name }) => name)]);
  for (const name of except) left.delete(name);
  return [...left];
};
