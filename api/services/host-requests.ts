/**
 * Skip, retry and first: the fact is written first and holds from then on; then the session and the host's workflow are
 * woken. When nobody hears that, they find the fact at their next look.
 */
import type { Logger } from 'pino';
import type { Database } from '../../prisma/database';
import { recordHostRequest, type RequestOfHost } from '../../prisma/hosts/host-requests';
import type { SessionHostRecord } from '../../prisma/hosts/session-hosts';
import type { WorkflowCalls } from '../../temporal/workflow-calls';
import { hostNotInSession, hostNotSteered, sessionNotFound } from '../problems/problem-catalogue';

export interface SteeredHost {
  readonly state: string;
  readonly host: SessionHostRecord;
}

interface HostRequestDeps {
  readonly db: Database;
  readonly workflowCalls: WorkflowCalls;
  readonly logger: Logger;
}

/** @throws ApiError 404, or 422 with what has begun on the host */
export const requestOfHost = async (deps: HostRequestDeps, requested: RequestOfHost): Promise<SteeredHost> => {
  const { db, workflowCalls, logger } = deps;
  const { sessionId, hostname, request } = requested;
  const outcome = await recordHostRequest(db, requested);
  if (outcome.kind === 'unknownSession') throw sessionNotFound(sessionId);
  if (outcome.kind === 'unknownHost') throw hostNotInSession(hostname, sessionId);
  if (outcome.kind === 'refused') throw hostNotSteered(requested, outcome);
  const { isChange, host, state } = outcome;
  if (isChange) logger.info({ sessionId, host: hostname, phase: host.phase }, `${request} of a host requested`);
  // A repeated request wakes them again: the first wake-up may have been lost.
  await Promise.all([workflowCalls.wakeHost(sessionId, hostname), workflowCalls.wakeSession(sessionId)]);
  return { state, host };
};
