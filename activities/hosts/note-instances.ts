/** Keeps the session's instance records true: which instances were seen on its hosts, and where they went. */
import type { Transaction } from '../../prisma/database';
import { findSessionHosts } from '../../prisma/hosts/session-hosts';
import { recordSeenInstances, unseenChanges } from '../../prisma/hosts/session-instances';
import type { CloudSnapshot } from '../../snapshot/read-fleet';
import type { Services } from '../services';
import { inSession } from '../session/run-in-force';

type ListedInstances = Pick<CloudSnapshot, 'instances'>;

export const noteInstances = async (
  tx: Transaction,
  sessionId: string,
  { instances }: ListedInstances,
): Promise<void> => {
  const hosts = await findSessionHosts(tx, sessionId);
  const hostnames = new Set(hosts.map(({ hostname }) => hostname));
  await recordSeenInstances(tx, { sessionId, hostnames }, instances);
};

/** Does the same in its own transaction, and only when a record differs, so that nobody has to wait for it. */
export const followInstances = async (
  services: Services,
  sessionId: string,
  listed: ListedInstances,
): Promise<void> => {
  const hosts = await findSessionHosts(services.db, sessionId);
  const hostnames = new Set(hosts.map(({ hostname }) => hostname));
  const { added, changed } = await unseenChanges(services.db, { sessionId, hostnames }, listed.instances);
  if (added.length + changed.length === 0) return;
  await inSession(services, { sessionId }, (tx) => recordSeenInstances(tx, { sessionId, hostnames }, listed.instances));
};
