/**
 * Pause, resume and abort. The fact is written first and holds from then on, since every beginning is decided by it.
 * Then the workflow is asked to act on it at once. A workflow that does not answer in time, because no worker or no
 * Temporal runs, finds the fact when it runs again. The sweeper also carries out an abort.
 */
import type { Logger } from 'pino';
import type { Database } from '../../prisma/database';
import { findInFlight, type InFlight } from '../../prisma/session/session-in-flight';
import { recordRequest } from '../../prisma/session/session-requests';
import type { SessionRequest } from '../../rules/requests/session-request';
import type { WorkflowCalls } from '../../temporal/workflow-calls';
import { notRunning, sessionNotFound } from '../problems/problem-catalogue';

export interface Requested {
  readonly inFlight: InFlight;
  /** True when the session's workflow has confirmed that it acts on the request. */
  readonly takenUp: boolean;
}

interface RequestDeps {
  readonly db: Database;
  readonly workflowCalls: WorkflowCalls;
  readonly logger: Logger;
}

interface RequestOfSession {
  readonly sessionId: string;
  readonly request: SessionRequest;
}

const endsAlready = 'look at its detail in a moment; PUT continues a failed session';

/** @throws ApiError 404, or 422 with the present state of the session */
export const requestOfSession = async (
  deps: RequestDeps,
  { sessionId, request }: RequestOfSession,
): Promise<Requested> => {
  const outcome = await recordRequest(deps.db, { sessionId, request });
  if (outcome.kind === 'unknown') throw sessionNotFound(sessionId);
  if (outcome.kind === 'refuse') throw notRunning({ request, sessionId }, outcome.because, outcome.hint);
  if (outcome.kind === 'change') deps.logger.info({ sessionId }, `${request} requested`);
  // A repeated request tells the workflow again: the first message may have been lost.
  const answer = await deps.workflowCalls.request(sessionId, request);
  if (answer.kind === 'refused') throw notRunning({ request, sessionId }, answer.because, endsAlready);
  const inFlight = await findInFlight(deps.db, sessionId);
  if (inFlight === undefined) throw sessionNotFound(sessionId);
  return { inFlight, takenUp: answer.kind === 'takenUp' };
};
