/** The last step of a deletion: removes the session, unless one of its hosts cannot be given back yet. */
import { recordTellings } from '../../events/tell-coming';
import { findToldComing } from '../../prisma/coming/told-coming';
import { findSessionHosts, type SessionHostRecord, staysSetAside } from '../../prisma/hosts/session-hosts';
import {
  archiveSessionRecords,
  changeSession,
  findSessionProgress,
  removeSessionRecords,
} from '../../prisma/session/session-progress';
import { tellingOfRemoval } from '../../rules/coming/worth-telling';
import { isDisabledFor } from '../hosts/host-switch';
import { logFact } from '../log-facts';
import type { Reconciling } from '../moves/reconcile';
import type { Services } from '../services';
import { inSession } from './run-in-force';

/** kept: a host is still disabled by it, so it stays in the list, and the sweeper has it cleaned up once more. */
export type Removal = 'removed' | 'kept';

/** Removes the session for its users, or archives it, and removes its files. Claims and unpublished events stay. */
export const removeSession = async (
  services: Reconciling & Pick<Services, 'downloads'>,
  sessionId: string,
): Promise<Removal> => {
  const session = await findSessionProgress(services.db, sessionId);
  if (session !== null && session.deletedAt === null) {
    const left = await hostsLeftDisabled(services, sessionId);
    if (left.length > 0) return keep(services, sessionId, left);
    await inSession(services, { sessionId }, async (tx, { reason, archiveRequestedAt }) => {
      const tellings = tellingOfRemoval(await findToldComing(tx, sessionId));
      await recordTellings(tx, services.drafts, { sessionId, reason, tellings });
      const isArchived = archiveRequestedAt !== null;
      await (isArchived ? archiveSessionRecords : removeSessionRecords)(tx, sessionId);
      logFact(services, tx, { what: isArchived ? 'session archived' : 'session removed', sessionId });
    });
  }
  // Removes the copy on this machine. The other workers remove their own copies (worker/tidy-downloads.ts).
  await services.downloads.remove(sessionId);
  return 'removed';
};

/** Asks the cloud: a host that an operator has enabled, or removed from the cloud, does not keep the session. */
const hostsLeftDisabled = async (
  { db, cloud }: Pick<Services, 'db' | 'cloud'>,
  sessionId: string,
): Promise<SessionHostRecord[]> => {
  const touched = (await findSessionHosts(db, sessionId)).filter(
    (host) => host.disabledBefore === false && !staysSetAside(host),
  );
  if (touched.length === 0) return [];
  const disabled = (await cloud.listHosts()).filter((host) => isDisabledFor(host, sessionId));
  return touched.filter(({ hostname }) => disabled.some(({ name }) => name === hostname));
};

const keep = (services: Reconciling, sessionId: string, left: readonly SessionHostRecord[]): Promise<Removal> =>
  inSession(services, { sessionId }, async (tx): Promise<Removal> => {
    const reasons = left.map(({ hostname, failure }) => failure ?? `host ${hostname} is still disabled`);
    const failure = `not deleted yet: ${reasons.join('; ')}; tried again every 15 s: see to the host, or enable it by hand`;
    // The next run that stops its work gives its hosts back once more.
    await changeSession(tx, sessionId, { stopping: null, failure });
    logFact(services, tx, { what: 'session not removed yet', level: 'warn', sessionId, reason: failure });
    return 'kept';
  });
