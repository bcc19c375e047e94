/** The last step of a deletion: the session goes away, unless a host of it cannot be given back yet. */
import { findSessionHosts, type SessionHostRecord } from '../../prisma/hosts/session-hosts';
import { changeSession, findSessionProgress, removeSessionRecords } from '../../prisma/session/session-progress';
import { isDisabledFor } from '../hosts/host-switch';
import { logFact } from '../log-facts';
import type { Services } from '../services';
import { inSession } from './run-in-force';

/** kept: a host is still disabled by it, so it stays listed, and the sweeper has it cleaned up once more. */
export type Removal = 'removed' | 'kept';

/** The session is gone for its users, with its files; claims and unpublished events stay. */
export const removeSession = async (services: Services, sessionId: string): Promise<Removal> => {
  const session = await findSessionProgress(services.db, sessionId);
  if (session !== null && session.deletedAt === null) {
    const left = await hostsLeftDisabled(services, sessionId);
    if (left.length > 0) return keep(services, sessionId, left);
    await inSession(services, { sessionId }, async (tx) => {
      await removeSessionRecords(tx, sessionId);
      logFact(services, tx, { what: 'session removed', sessionId });
    });
  }
  // From this machine; the other workers see to theirs (worker/tidy-downloads.ts).
  await services.downloads.remove(sessionId);
  return 'removed';
};

/** As the cloud has them: one that an operator has enabled, or taken away, is held against nobody. */
const hostsLeftDisabled = async ({ db, cloud }: Services, sessionId: string): Promise<SessionHostRecord[]> => {
  const touched = (await findSessionHosts(db, sessionId)).filter(({ disabledBefore }) => disabledBefore === false);
  if (touched.length === 0) return [];
  const disabled = (await cloud.listHosts()).filter((host) => isDisabledFor(host, sessionId));
  return touched.filter(({ hostname }) => disabled.some(({ name }) => name === hostname));
};

const keep = (services: Services, sessionId: string, left: readonly SessionHostRecord[]): Promise<Removal> =>
  inSession(services, { sessionId }, async (tx): Promise<Removal> => {
    const reasons = left.map(({ hostname, failure }) => failure ?? `host ${hostname} is still disabled`);
    const failure = `not deleted yet: ${reasons.join('; ')}; tried again every 15 s: see to the host, or enable it by hand`;
    // Its hosts are given back once more by whoever stops its work next.
    await changeSession(tx, sessionId, { stopping: null, failure });
    logFact(services, tx, { what: 'session not removed yet', level: 'warn', sessionId, reason: failure });
    return 'kept';
  });
