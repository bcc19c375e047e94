/**
 * Looks at what is on hosts before work on them begins, and looks again at those that were in doubt. The findings are
 * written to the hosts' rows, by which every decision holds such hosts back (rules/steering/held-by-cloud.ts).
 */
import { databaseNow } from '../../prisma/database';
import { findSessionHosts, type SessionHostRecord } from '../../prisma/hosts/session-hosts';
import { findingsOf } from '../../rules/cloud/host-findings';
import { lookAgainAtDoubtsMs } from '../../rules/steering/held-by-cloud';
import { lookAtHost, noteFindings } from '../hosts/look-at-host';
import type { Reconciling } from '../moves/reconcile';
import type { Services } from '../services';
import { inSession, type SessionRef } from '../session/run-in-force';

/** A look costs the cloud a few requests. */
const mostAtOnce = 8;

export const lookBeforeBegin = async (
  services: Reconciling,
  ref: SessionRef,
  hostnames: readonly string[],
): Promise<void> => {
  for (let at = 0; at < hostnames.length; at += mostAtOnce) {
    const contents = await Promise.all(
      hostnames.slice(at, at + mostAtOnce).map(async (hostname) => {
        const { doubts } = await lookAtHost(services.cloud, hostname);
        return { hostname, doubts };
      }),
    );
    await inSession(services, ref, async (tx) => {
      const lookedAtMs = (await databaseNow(tx)).getTime();
      const rows = new Map((await findSessionHosts(tx, ref.sessionId)).map((host) => [host.hostname, host]));
      for (const { hostname, doubts } of contents) {
        const host = rows.get(hostname);
        // Instances on a host that is to be drained are no findings.
        const findings = findingsOf({ doubts, guests: [], lookedAtMs });
        if (host?.phase === 'waiting') await noteFindings(services, tx, { host, findings });
      }
    });
  }
};

/** Hosts that wait because they were in doubt, and were not looked at for a while. */
export const findHostsToLookAtAgain = async (
  { db }: Pick<Services, 'db'>,
  { sessionId }: SessionRef,
): Promise<readonly string[]> => {
  const hosts = (await findSessionHosts(db, sessionId)).filter(isInDoubt);
  if (hosts.length === 0) return [];
  const dueMs = (await databaseNow(db)).getTime() - lookAgainAtDoubtsMs;
  return hosts.filter(({ findings }) => (findings?.lookedAtMs ?? 0) <= dueMs).map(({ hostname }) => hostname);
};

const isInDoubt = ({ phase, findings }: SessionHostRecord): boolean => phase === 'waiting' && findings !== null;
