/** Keeping the session's instance records true: what is seen on its hosts, and where that goes. */
import type { Transaction } from '../prisma/database';
import { findSessionHosts } from '../prisma/session-hosts';
import { recordSeenInstances } from '../prisma/session-instances';
import type { CloudSnapshot } from './load-fleet';

export const noteInstances = async (
  tx: Transaction,
  sessionId: string,
  { instances }: Pick<CloudSnapshot, 'instances'>,
): Promise<void> => {
  const hosts = await findSessionHosts(tx, sessionId);
  const hostnames = new Set(hosts.map(({ hostname }) => hostname));
  await recordSeenInstances(tx, { sessionId, hostnames }, instances);
};
