/** A session's requests to Nova, by kind: identifiers in paths and queries are left out. */
import type { NotedCall } from './faulty-nova';

const kindOf = ({ method, path }: NotedCall): string => {
  const [at = '', query = ''] = path.split('?');
  const names = [...new URLSearchParams(query).keys()].filter((name) => name !== 'limit');
  const anonymous = at
    .replace(/^\/v2\.1/, '')
    .replace(/\/(req-)?[0-9a-f-]{36}/g, '/…')
    .replace(/\/\d+/g, '/…');
  return `${method} ${anonymous}${names.length === 0 ? '' : ` by ${names.join(', ')}`}`;
};

/** Most frequent first. */
export const countRequests = (calls: readonly NotedCall[]): readonly (readonly [kind: string, count: number])[] => {
  const counts = new Map<string, number>();
  for (const call of calls) counts.set(kindOf(call), (counts.get(kindOf(call)) ?? 0) + 1);
  return [...counts].toSorted(([, one], [, other]) => other - one);
};
