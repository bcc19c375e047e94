/** Writes down that a session is done with hosts which have left the cloud, as nodes do that an autoscaler removes. */
import type { Transaction } from '../../prisma/database';
import { skipHost } from '../../prisma/hosts/host-requests';
import type { SessionHostRecord } from '../../prisma/hosts/session-hosts';
import type { SessionProgress } from '../../prisma/session/session-progress';
import { whyGone } from '../../rules/decisions/fleet/gone-hosts';
import { stepOfHost } from '../../rules/steps/host-step';
import { logFact, namesOfHost } from '../log-facts';
import type { Services } from '../services';

interface LettingHostsGo {
  readonly tx: Transaction;
  readonly session: Pick<SessionProgress, 'id'>;
  /** The session's among others. */
  readonly hosts: readonly SessionHostRecord[];
}

export const letHostsGo = async (
  services: Pick<Services, 'logger'>,
  { tx, session, hosts }: LettingHostsGo,
  gone: readonly string[] = [],
): Promise<void> => {
  const own = hosts.filter(({ sessionId, hostname }) => sessionId === session.id && gone.includes(hostname));
  for (const host of own) await letHostGo(services, tx, host);
};

/** Nothing is left to be enabled: the host is gone. */
export const letHostGo = async (
  services: Pick<Services, 'logger'>,
  tx: Transaction,
  host: SessionHostRecord,
): Promise<void> => {
  const step = stepOfHost(host, { kind: 'skip', because: whyGone });
  const nothingLeft = { disabled: false, disabledAt: null, enablingAt: null, announcedAt: null, findings: null };
  await skipHost(tx, host, { ...step, ...(step.phase === 'skipped' && nothingLeft), skipReason: whyGone });
  logFact(services, tx, { what: 'host gone', level: 'warn', ...namesOfHost(host), reason: whyGone });
};
