/** Records the event maintenance.session, with the session's present progress. */
import type { SessionNotice } from '../../events/drafts';
import { appendEvent } from '../../events/outbox';
import type { Transaction } from '../../prisma/database';
import { findHostsSetAside, findPercentDone } from '../../prisma/hosts/session-hosts';
import type { Services } from '../services';

export const tellSession = async (
  { drafts }: Pick<Services, 'drafts'>,
  tx: Transaction,
  notice: Omit<SessionNotice, 'percentDone' | 'setAside'>,
): Promise<void> => {
  const done = await findPercentDone(tx, notice.sessionId);
  const setAside = await findHostsSetAside(tx, notice.sessionId);
  await appendEvent(tx, drafts.session({ ...notice, percentDone: done, setAside }));
};
