/**
 * An admin's requests to a running session (pause, resume, abort). One transaction on its row decides and writes each.
 */
import {
  decideRequest,
  type RequestDecision,
  requestedOf,
  type SessionRequest,
} from '../../rules/requests/session-request';
import { type Database, databaseNow, inTransaction, lockSessionAndBeginnings, type Transaction } from '../database';

export type RequestOutcome = RequestDecision | { readonly kind: 'unknown' };

/**
 * Records the request. Nothing that it forbids begins after the commit: every beginning reads the row under a lock that
 * waits for this transaction.
 */
export const recordRequest = (
  db: Database,
  { sessionId, request }: { readonly sessionId: string; readonly request: SessionRequest },
): Promise<RequestOutcome> =>
  inTransaction(db, async (tx): Promise<RequestOutcome> => {
    await lockSessionAndBeginnings(tx, sessionId);
    const session = await tx.session.findFirst({ where: { id: sessionId, deletedAt: null } });
    if (session === null) return { kind: 'unknown' };
    const decision = decideRequest(request, requestedOf(session));
    if (decision.kind === 'change') await write(tx, sessionId, request);
    return decision;
  });

const write = async (tx: Transaction, sessionId: string, request: SessionRequest): Promise<void> => {
  const now = await databaseNow(tx);
  await tx.session.update({ where: { id: sessionId }, data: { ...changeFor(request, now), updatedAt: now } });
};

const changeFor = (request: SessionRequest, now: Date) => {
  switch (request) {
    case 'pause':
      return { pausedAt: now };
    case 'resume':
      return { pausedAt: null, pausedBecause: null };
    case 'abort':
      return { abortRequestedAt: now };
  }
};
