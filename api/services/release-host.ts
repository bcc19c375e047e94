/** The release of a host that a person works on: the fact is written first, then its workflow is woken. */
import type { Logger } from 'pino';
import type { Database } from '../../prisma/database';
import { recordRelease } from '../../prisma/hosts/release-host';
import type { HostRef } from '../../prisma/hosts/session-hosts';
import type { Release } from '../../rules/holds/hold';
import type { WorkflowCalls } from '../../temporal/workflow-calls';
import { hostNotHeld } from '../problems/hold-problems';
import { hostNotInSession, sessionNotFound } from '../problems/problem-catalogue';
import type { SteeredHost } from './host-requests';

interface ReleaseDeps {
  readonly db: Database;
  readonly workflowCalls: WorkflowCalls;
  readonly logger: Logger;
}

/** @throws ApiError 404, or 422 where no person works on the host */
export const releaseHost = async (deps: ReleaseDeps, ref: HostRef, release: Release): Promise<SteeredHost> => {
  const { db, workflowCalls, logger } = deps;
  const { sessionId, hostname } = ref;
  const recorded = await recordRelease(db, ref, release);
  switch (recorded.kind) {
    case 'unknownSession':
      throw sessionNotFound(sessionId);
    case 'unknownHost':
      throw hostNotInSession(hostname, sessionId);
    case 'notHeld':
      throw hostNotHeld(hostname);
    case 'accepted': {
      const { isChange, host, state } = recorded;
      if (isChange) logger.info({ sessionId, host: hostname, outcome: release.outcome }, 'a host is released');
      // A repeated request wakes it again: the first wake-up may have been lost.
      await workflowCalls.wakeHost(sessionId, hostname);
      return { state, host, isChange };
    }
  }
};
