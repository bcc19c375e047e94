/**
 * Asks placement which hosts have room for a server: for all servers that need the same at once, since the answers are
 * kept some seconds by what is asked.
 */
import { createRecent, type Recent } from '../../../calls/recent';
import { createShortMemory } from '../../../calls/short-memory';
import { type ResourceGroup, resourceRequestOf } from '../classes/resource-request';
import type { NovaServer } from '../nova/answers';
import type { Candidates, PlacementApi } from '../nova/placement-api';

export interface CandidateSearch {
  /** `renew` leaves out what is kept. Undefined: placement does not tell. */
  find(query: string, renew?: boolean): Promise<Candidates | undefined>;
}

/** Undefined: nobody knows, since there are more candidates than placement lists. */
export const isCandidate = ({ named, areAll }: Candidates, hypervisorIds: readonly string[]): boolean | undefined => {
  if (hypervisorIds.some((id) => named.has(id))) return true;
  return areAll ? false : undefined;
};

/**
 * The query for one host alone, as Nova asks for a target that is named to it (placement 1.31, Stein). Nothing moves to
 * a host with several hypervisors.
 */
export const queryWithin = (query: string, [hypervisorId = '']: readonly string[]): string =>
  `${query}&in_tree=${hypervisorId}`;

const keepMs = 10_000;
/** Limits the memory: servers that need the same ask the same. */
const mostKept = 1_000;

export const createCandidateSearch = (placement: PlacementApi, nowMs = Date.now): CandidateSearch => {
  const kept = createShortMemory<string, Recent<Candidates | undefined>>(mostKept);
  const recentFor = (query: string): Recent<Candidates | undefined> => {
    const known = kept.find(query);
    if (known !== undefined) return known;
    const recent = createRecent({ read: () => placement.candidatesFor(query), keepMs, nowMs });
    kept.keep(query, recent);
    return recent;
  };
  return { find: (query, renew = false) => (renew ? recentFor(query).renew() : recentFor(query).get()) };
};

/**
 * What Nova's scheduler would ask for the server.
 * @param zoneIds the IDs of the aggregates of the zone that it was created for; none: any zone will do
 */
export const candidateQuery = (server: NovaServer, zoneIds: readonly string[]): string => {
  const groups = [...resourceRequestOf(server)].filter(([, group]) => amountsIn(group) !== '');
  const ownGroups = groups.filter(([suffix]) => suffix !== '').length;
  const policy = server.flavor.extra_specs?.['group_policy'] ?? 'none';
  const parameters: QueryParameter[] = groups.flatMap(([suffix, group]) => parametersOf(suffix, group));
  if (zoneIds.length > 0) parameters.push(['member_of', `in:${zoneIds.toSorted().join(',')}`]);
  if (ownGroups > 1) parameters.push(['group_policy', policy]);
  return new URLSearchParams(parameters).toString();
};

const amountsIn = ({ amounts }: ResourceGroup): string =>
  Object.entries(amounts)
    .filter(([, amount]) => amount > 0)
    .map(([name, amount]) => `${name}:${amount}`)
    .sort()
    .join(',');

type QueryParameter = [name: string, value: string];

const parametersOf = (suffix: string, group: ResourceGroup): QueryParameter[] => {
  const traits = [...[...group.required].sort(), ...[...group.forbidden].sort().map((trait) => `!${trait}`)];
  const resources: QueryParameter = [`resources${suffix}`, amountsIn(group)];
  return traits.length === 0 ? [resources] : [resources, [`required${suffix}`, traits.join(',')]];
};
