/** Skips a host, or pauses the session, since a project has not answered or has refused for the last time. */
import { databaseNow, type Transaction } from '../../prisma/database';
import { skipHost } from '../../prisma/hosts/host-requests';
import type { SessionHostRecord } from '../../prisma/hosts/session-hosts';
import { changeSession } from '../../prisma/session/session-progress';
import { stepOfHost } from '../../rules/steps/host-step';
import { logFact } from '../log-facts';
import type { Services } from '../services';

/** Silences and refusals up to now do not count again once the session is resumed. */
export const pauseForReply = async (
  services: Pick<Services, 'logger'>,
  tx: Transaction,
  { sessionId, because }: { readonly sessionId: string; readonly because: string },
): Promise<void> => {
  const now = await databaseNow(tx);
  await changeSession(tx, sessionId, { pausedAt: now, pausedBecause: because, replyPausedAt: now });
  logFact(services, tx, { what: 'session pauses itself', level: 'warn', sessionId, reason: because });
};

/** Skips a host. If it is being drained, its moves end first. */
export const skipForReply = async (
  services: Pick<Services, 'logger'>,
  tx: Transaction,
  { host, because }: { readonly host: SessionHostRecord; readonly because: string },
): Promise<void> => {
  const { sessionId, hostname } = host;
  await skipHost(tx, host, { ...stepOfHost(host, { kind: 'skip', because }), skipReason: because });
  logFact(services, tx, { what: 'host skipped', level: 'warn', sessionId, host: hostname, reason: because });
};
