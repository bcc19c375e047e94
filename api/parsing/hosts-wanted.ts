/** Reads which hosts a create request is about. */
import type { HostsWanted } from '../../rules/selectors/select-hosts';
import { parseSelector } from '../../rules/selectors/selector';
import type { FieldError } from '../problems/problem';
import type { CreateSessionBody } from '../schemas/session-schemas';

export interface HostsToFind extends HostsWanted {
  /** The selection as it was requested. Left out: there is none. */
  readonly selection?: string;
}

/** The fault of its selector, where it has one. */
export type ReadHosts = { readonly wanted: HostsToFind } | { readonly fault: FieldError };

export const readHostsWanted = ({
  hosts: named = [],
  select,
}: Pick<CreateSessionBody, 'hosts' | 'select'>): ReadHosts => {
  if (select === undefined) return { wanted: { named, except: [] } };
  const { labels, except = [] } = select;
  const wanted = { named, except, selection: inWords(labels, except) };
  if (labels === undefined) return { wanted };
  const parsed = parseSelector(labels);
  if (parsed.kind === 'fault') return { fault: { pointer: '/select/labels', message: parsed.message } };
  return { wanted: { ...wanted, selector: parsed.selector } };
};

const inWords = (labels: string | undefined, except: readonly string[]): string => {
  const without = except.length === 0 ? [] : [`without ${except.join(', ')}`];
  return [labels ?? 'all hosts', ...without].join(' ');
};
