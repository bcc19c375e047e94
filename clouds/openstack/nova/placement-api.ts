/**
 * The calls to placement by which hosts are compared. All goes on without them, on what Nova tells: so they answer
 * undefined where placement is not shown, does not let this login read, or does not answer.
 */
import { NoAnswer } from '../../http/exchange';
import { OddAnswer } from '../../http/parse-answer';
import type { ServiceClient } from '../http/service-client';
import { ServiceError } from '../http/service-error';
import * as answers from './answers';

/** The hosts that have room for a request. */
export interface Candidates {
  /** The IDs of their roots. */
  readonly named: ReadonlySet<string>;
  /** False: there are more than placement was asked to list, so nobody knows of the hosts that are not named. */
  readonly areAll: boolean;
}

export interface PlacementApi {
  inventoriesOf(providerId: string): Promise<Readonly<Record<string, answers.Inventory>> | undefined>;
  traitsOf(providerId: string): Promise<readonly string[] | undefined>;
  usagesOf(providerId: string): Promise<Readonly<Record<string, number>> | undefined>;
  /** The providers below a root, such as devices of the host, by the root's ID. */
  listChildren(): Promise<ReadonlyMap<string, readonly string[]> | undefined>;
  candidatesFor(query: string): Promise<Candidates | undefined>;
  /** True when it did not answer lately: it is not asked again before some seconds have passed. */
  isAway(): boolean;
}

export interface PlacementSources {
  /** Undefined: the catalogue does not show placement. */
  readonly connect: () => Promise<ServiceClient | undefined>;
  readonly nowMs?: () => number;
}

const askAgainAfterMs = 30_000;
/** Nova itself asks for so many by default (max_placement_results). */
const mostCandidates = 1_000;

export const createPlacementApi = ({ connect, nowMs = Date.now }: PlacementSources): PlacementApi => {
  let awayUntilMs = 0;
  const isAway = () => nowMs() < awayUntilMs;

  const read = async <T>(path: string, parse: (body: unknown) => T): Promise<T | undefined> => {
    const client = isAway() ? undefined : await connect();
    try {
      return client && parse((await client.call({ method: 'GET', path, tries: 1 })).body);
    } catch (error) {
      if (isNoAnswer(error)) awayUntilMs = nowMs() + askAgainAfterMs;
      else if (!(error instanceof ServiceError)) throw error;
      return undefined;
    }
  };

  return {
    isAway,
    inventoriesOf: async (id) =>
      (await read(`/resource_providers/${id}/inventories`, answers.parseInventories))?.inventories,
    traitsOf: async (id) => (await read(`/resource_providers/${id}/traits`, answers.parseTraits))?.traits,
    usagesOf: async (id) => (await read(`/resource_providers/${id}/usages`, answers.parseUsages))?.usages,
    async listChildren() {
      const listed = await read('/resource_providers', answers.parseProviders);
      return listed && childrenIn(listed.resource_providers);
    },
    async candidatesFor(query) {
      const path = `/allocation_candidates?${query}&limit=${mostCandidates}`;
      const answer = await read(path, answers.parseCandidates);
      return answer && { named: rootsIn(answer), areAll: answer.allocation_requests.length < mostCandidates };
    },
  };
};

/** A proxy in the place of placement may answer with a page for people. */
const isNoAnswer = (error: unknown): boolean =>
  error instanceof NoAnswer || error instanceof OddAnswer || (error instanceof ServiceError && error.status >= 429);

const childrenIn = (all: readonly answers.ResourceProvider[]): ReadonlyMap<string, readonly string[]> => {
  const below = all.filter(({ uuid, root_provider_uuid: root }) => root != null && root !== uuid);
  const byRoot = Map.groupBy(below, ({ root_provider_uuid: root }) => root ?? '');
  return new Map([...byRoot].map(([root, providers]) => [root, providers.map(({ uuid }) => uuid)]));
};

/** A candidate takes from providers of one host, and perhaps from storage that several hosts share. */
const rootsIn = ({
  allocation_requests: requests,
  provider_summaries: summaries,
}: answers.AllocationCandidates): Set<string> =>
  new Set(
    requests.flatMap(({ allocations }) =>
      Object.keys(allocations).map((id) => summaries[id]?.root_provider_uuid ?? id),
    ),
  );
