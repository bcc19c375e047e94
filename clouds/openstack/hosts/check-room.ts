/**
 * Checks before a move whether its target takes the server. Placement decides where it can be asked: it knows of every
 * resource, and of bookings that no list of servers shows.
 */
import type { Amounts } from '../../../rules/cloud/amounts';
import { amountWords } from '../../../rules/words/amount-words';
import { type FleetLook, hostFacts, serverFacts, zoneIdsFor } from '../classes/fleet-look';
import { whyNot } from '../classes/why-not';
import type { NovaServer } from '../nova/answers';
import { candidateQuery, type CandidateSearch, isCandidate, queryWithin } from './candidates';
import type { Capacities, HostSize } from './capacity';
import { notOfferedWords } from './not-offered';

/** @returns what the host lacks, as a sentence; undefined: nothing that anybody knows of */
export type RoomCheck = (server: NovaServer, host: string) => Promise<string | undefined>;

export interface RoomSources {
  readonly look: () => Promise<FleetLook>;
  readonly capacities: Capacities;
  readonly search: CandidateSearch;
}

export const createRoomCheck =
  ({ look, capacities, search }: RoomSources): RoomCheck =>
  async (server, host) => {
    const seen = await look();
    const size = seen.sizes.get(host);
    if (size === undefined) return undefined;
    const { amounts, needs = '' } = serverFacts(server, seen);
    const lacks = whyNot(needs, hostFacts(host, seen).offers ?? '');
    if (lacks !== undefined) return `it lacks ${lacks}.`;
    const named = await isNamed(search, candidateQuery(server, zoneIdsFor(server, seen)), size);
    if (named === true) return undefined;
    const lack = lackOf(amounts, size, await capacities.capacityLeft(size));
    if (lack !== undefined || named === undefined) return lack;
    return `${notOfferedWords({ amounts })}.`;
  };

/** A kept "no" may be over, and an answer that is not whole tells of some hosts alone. Undefined: nobody knows. */
const isNamed = async (search: CandidateSearch, query: string, size: HostSize): Promise<boolean | undefined> => {
  if (size.toldBy === 'nova') return undefined;
  const { hypervisorIds } = size;
  const candidates = await search.find(query);
  if (candidates === undefined) return undefined;
  if (isCandidate(candidates, hypervisorIds) === true) return true;
  const now = await search.find(candidates.areAll ? query : queryWithin(query, hypervisorIds), true);
  return now && isCandidate(now, hypervisorIds);
};

const lackOf = (needed: Amounts, { amounts: whole }: HostSize, free: Amounts | undefined): string | undefined => {
  if (free === undefined) return undefined;
  const untold = Object.keys(needed).filter((name) => name in whole && !(name in free));
  if (untold.length > 0) return `nobody tells how much of it is used: ${untold.join(', ')}.`;
  const short = ([name, amount]: [string, number]) => [name, amount - Math.max(0, free[name] ?? 0)] as const;
  const missing = Object.entries(needed)
    .map(short)
    .filter(([, amount]) => amount > 0);
  if (missing.length === 0) return undefined;
  return `no capacity; ${amountWords(needed)} are needed, ${amountWords(Object.fromEntries(missing))} are missing.`;
};
