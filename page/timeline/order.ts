/** Which hosts are shown, and in which order: those under work first, then those to come, then those that are done. */
import type { HostPhase } from '../client/types';
import { byNaturalOrder } from '../parts/natural-order';
import type { HostOfTimeline } from './layout';

const ranks: Readonly<Record<HostPhase, number>> = {
  failed: 0,
  releasing: 1,
  emptying: 1,
  maintaining: 1,
  waiting: 2,
  set_aside: 3,
  skipped: 3,
  maintained: 4,
};

export interface Choice {
  /** Empty: all. */
  readonly phases: ReadonlySet<HostPhase>;
  /** A part of the name. */
  readonly text: string;
}

/** @param turnOf when the plan expects a host to be drained, in milliseconds */
export const hostsInOrder = <H extends HostOfTimeline>(
  hosts: readonly H[],
  { phases, text }: Choice,
  turnOf: (hostname: string) => number | undefined,
): H[] => {
  const wanted = text.trim().toLowerCase();
  return hosts
    .filter(
      ({ phase, hostname }) => (phases.size === 0 || phases.has(phase)) && hostname.toLowerCase().includes(wanted),
    )
    .map((host) => ({ host, rank: ranks[host.phase], at: whenOf(host, turnOf) }))
    .sort((one, other) => one.rank - other.rank || one.at - other.at || byName(one.host, other.host))
    .map(({ host }) => host);
};

/** Those under work by their begin, those to come by their turn, and those that are over by their end, latest first. */
const whenOf = (host: HostOfTimeline, turnOf: (hostname: string) => number | undefined): number => {
  const rank = ranks[host.phase];
  if (rank === 2) return turnOf(host.hostname) ?? Number.MAX_VALUE;
  return rank > 2 ? -Date.parse(host.phase_since) : Date.parse(host.drain_started_at ?? host.phase_since);
};

const byName = (one: HostOfTimeline, other: HostOfTimeline): number => byNaturalOrder(one.hostname, other.hostname);
