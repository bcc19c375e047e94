/** Leaves a failed host disabled or enables it, by the create request's `max_failed_hosts` and `failed_hosts`. */
import { type OwnedHost, staysDisabled } from '../../planning/fleet/host-failure';
import type { Queryable } from '../../prisma/database';
import { findSessionHosts, type SessionHostRecord } from '../../prisma/hosts/session-hosts';
import { findSessionProgress, type SessionProgress } from '../../prisma/session/session-progress';

/** @param listed the names of the hosts that the cloud lists */
export const asOwnedHosts = (own: readonly SessionHostRecord[], listed: ReadonlySet<string>): OwnedHost[] =>
  own.map(({ hostname: name, phase, failure }) => ({
    name,
    work: { phase, ...(failure !== null && { failure }) },
    isListed: listed.has(name),
  }));

/** True when failed hosts go back to use, also those whose maintenance has failed. */
export const enablesFailedHosts = ({ failedHosts }: Pick<SessionProgress, 'failedHosts'>): boolean =>
  failedHosts === 'enable';

/**
 * True when the host, which failed while it was drained, is to stay disabled as one that is set aside. A session that
 * stops gives it back.
 */
export const isToStayDisabled = async (db: Queryable, host: SessionHostRecord): Promise<boolean> => {
  if (host.failure === null || host.skipReason !== null) return false;
  const session = await findSessionProgress(db, host.sessionId);
  if (session === null || session.stopping !== null) return false;
  const own = await findSessionHosts(db, session.id);
  const listed = new Set(own.map(({ hostname }) => hostname));
  return staysDisabled(asOwnedHosts(own, listed), {
    maxFailedHosts: session.maxFailedHosts ?? 0,
    enablesFailedHosts: enablesFailedHosts(session),
  });
};
