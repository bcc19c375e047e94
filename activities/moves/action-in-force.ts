/** Finds the action to begin for a claim: the one in its project's newest answer, which cannot change meanwhile. */
import type { Transaction } from '../../prisma/database';
import { findSessionHost } from '../../prisma/hosts/session-hosts';
import { type ClaimRecord, findExpiredOwnActions } from '../../prisma/moves/claims';
import { lockOwnQuestion, lockUnusedAnswer, shareQuestionsAboutHost } from '../../prisma/questions/answer-in-force';
import { findSessionProgress, type SessionProgress } from '../../prisma/session/session-progress';
import { keyOf } from '../../rules/cloud/id';
import { asksInstances } from '../../rules/decisions/both-workflows/built-in-workflow';
import type { Action } from '../../rules/decisions/fleet/fleet';
import type { StartView } from '../../rules/decisions/limits/before-start';
import {
  actionByHostAnswer,
  actionByOwnAnswer,
  actionByUnusedAnswer,
  restsOnUnusedAnswer,
} from '../../rules/questions/answer-before-start';
import { askedSince } from '../../snapshot/settled-answers';

/** Must be called in the transaction in which the action then begins. */
export const actionInForce = async (
  tx: Transaction,
  claim: ClaimRecord,
  { instance, isOutdated }: StartView,
): Promise<Action | 'refused'> => {
  const granted = { action: claim.action, instance, isOutdated };
  if (claim.askedAt !== null) return actionByOwnAnswer(granted, await lockOwnQuestion(tx, claim));
  const session = await findSessionProgress(tx, claim.sessionId);
  if (session === null) return claim.action;
  if (asksInstances(session)) {
    if (!restsOnUnusedAnswer(granted)) return claim.action;
    return actionByUnusedAnswer(granted, await lockUnusedAnswer(tx, claim));
  }
  return actionByHostAnswer(granted, { instance, ...(await askedAboutHost(tx, claim, session)) });
};

const askedAboutHost = async (tx: Transaction, claim: ClaimRecord, session: SessionProgress) => {
  const questions = await shareQuestionsAboutHost(tx, claim, session.state);
  const host = await findSessionHost(tx, { sessionId: session.id, hostname: claim.source });
  const expired = await findExpiredOwnActions(tx, session.id);
  return {
    questions,
    sinceMs: askedSince({ drainStartedAt: host?.drainStartedAt ?? null }, session).getTime(),
    expired: expired.get(keyOf(claim.instanceId)),
  };
};
