/** Names of hosts as people give them: also patterns such as 'rack7-*', and the session that such a host is in. */
import { isGlob, matchesGlob } from '../../rules/words/globs';
import type { Api } from './api';
import { findSessionId } from './command-tools';
import { usageFailure } from './exit';

/**
 * @param known the names that patterns are held against; asked for where there is a pattern
 * @throws CommandFailure where a pattern fits none of them
 */
export const hostsNamed = async (
  names: readonly string[],
  known: () => Promise<readonly string[]>,
): Promise<readonly string[]> => {
  if (!names.some(isGlob)) return names;
  const all = await known();
  const found = names.flatMap((name) => {
    if (!isGlob(name)) return [name];
    const fitting = all.filter((host) => matchesGlob(name, host));
    if (fitting.length === 0) throw usageFailure(`no host fits ${name}`, 'parley hosts list shows them all');
    return fitting;
  });
  return [...new Set(found)];
};

/**
 * The session that is named; else the one that is not over; where there are several, the one that has the host.
 *
 * @throws CommandFailure where several have it, or none
 */
export const sessionOfHost = async (api: Api, given: string | undefined, host: string | undefined): Promise<string> => {
  if (given !== undefined || host === undefined) return findSessionId(api, given);
  const goingOn = (await api.sessions()).filter(({ progress }) => progress !== 'done');
  if (goingOn.length < 2) return findSessionId(api, undefined);
  const having = (await api.sessions({ host })).filter(({ progress }) => progress !== 'done');
  const [only] = having;
  return only !== undefined && having.length === 1 ? only.session_id : findSessionId(api, undefined);
};
