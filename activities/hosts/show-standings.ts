/**
 * Has the cloud show on its hosts what sessions do with them, for all who look at the cloud and not at the service.
 * The records alone decide what a host shows, so a repeat changes nothing, and the sweeper corrects what a killed
 * process has left. No work waits for it in vain: where the cloud does not take it, the sweeper tries again.
 */
import type { ShownStanding } from '../../clouds/cloud-driver';
import { findHostsInHand, type HostInHand } from '../../prisma/hosts/hosts-in-hand';
import { asksOnlyTheWilling } from '../../rules/decisions/both-workflows/built-in-workflow';
import type { Services } from '../services';

type StandingServices = Pick<Services, 'db' | 'cloud' | 'logger'>;

/** @param hostname left out: on all hosts, also on those that no session has in hand any more */
export const showStandings = async ({ db, cloud, logger }: StandingServices, hostname?: string): Promise<void> => {
  if (cloud.showStandings === undefined) return;
  try {
    const hosts = await findHostsInHand(db, hostname);
    await cloud.showStandings(new Map(hosts.map((host) => [host.hostname, standingOf(host)])), hostname);
  } catch (error) {
    logger.warn({ err: error, host: hostname }, 'the cloud did not show what sessions do with its hosts: tried again');
  }
};

const doings = {
  waiting: 'planned',
  emptying: 'draining',
  maintaining: 'maintaining',
  releasing: 'releasing',
} as const;

const standingOf = (host: HostInHand): ShownStanding => {
  const { sessionId, phase, isBegun } = host;
  const isToBeAvoided = isBegun && phase !== 'releasing' && asksOnlyTheWilling(host);
  return { sessionId, doing: doings[phase], ...(isToBeAvoided && { isToBeAvoided }) };
};
