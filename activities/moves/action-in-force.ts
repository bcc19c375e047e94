/** Finds the action to begin for a claim: the one by its project's newest answer, which cannot change meanwhile. */
import type { Transaction } from '../../prisma/database';
import { findSessionHost } from '../../prisma/hosts/session-hosts';
import { type ClaimRecord, findExpiredOwnActions, lockClaims, recordSteps } from '../../prisma/moves/claims';
import { lockUnusedAnswer, shareQuestionsAboutHost } from '../../prisma/questions/answer-in-force';
import { findQuestionsOfClaims } from '../../prisma/questions/question-rounds';
import { findSessionProgress, type SessionProgress } from '../../prisma/session/session-progress';
import { keyOf } from '../../rules/cloud/id';
import { asksInstances } from '../../rules/decisions/both-workflows/built-in-workflow';
import type { Action } from '../../rules/decisions/fleet/fleet';
import { isAsked } from '../../rules/decisions/fleet/is-asked';
import type { StartView } from '../../rules/decisions/limits/before-start';
import { actionNow, actionOf, type AskedAbout } from '../../rules/questions/action-by-answer';
import { askedSince } from '../../snapshot/settled-answers';

/** Must be called in the transaction in which the action then begins. */
export const actionInForce = async (
  tx: Transaction,
  claim: ClaimRecord,
  view: StartView,
): Promise<Action | 'refused'> => {
  if (claim.askedAt !== null) return actionOfClaim(tx, claim, view);
  const session = await findSessionProgress(tx, claim.sessionId);
  if (session === null) return claim.action;
  return actionNow(claim.action, { instance: view.instance, ...(await askedBefore(tx, claim, { session, view })) });
};

/**
 * A reply writes its action into the claim of its question, so the claim tells whether the answer has changed since the
 * look. Only where the project chose no action, later constraints decide.
 */
const actionOfClaim = async (
  tx: Transaction,
  { id, action: lookedAt }: ClaimRecord,
  { instance, isOutdated }: StartView,
): Promise<Action | 'refused'> => {
  const [claim] = await lockClaims(tx, [id]);
  if (claim?.phase !== 'moving') return 'refused';
  if (claim.action !== lookedAt || !isOutdated) return claim.action;
  const action = actionOf(instance, (await findQuestionsOfClaims(tx, [id])).at(-1));
  if (action !== claim.action) await recordSteps(tx, [{ claimId: id, phase: 'moving', action }]);
  return action;
};

/** The question about the host; or about the instance, under an earlier claim, unless nothing is asked about it. */
const askedBefore = async (
  tx: Transaction,
  claim: ClaimRecord,
  { session, view }: { readonly session: SessionProgress; readonly view: StartView },
): Promise<Omit<AskedAbout, 'instance'>> => {
  if (asksInstances(session)) return { questions: isAsked(view.instance) ? await lockUnusedAnswer(tx, claim) : [] };
  const questions = await shareQuestionsAboutHost(tx, claim, session.state);
  const host = await findSessionHost(tx, { sessionId: session.id, hostname: claim.source });
  const expired = await findExpiredOwnActions(tx, session.id);
  return {
    questions,
    sinceMs: askedSince({ drainStartedAt: host?.drainStartedAt ?? null }, session).getTime(),
    expired: expired.get(keyOf(claim.instanceId)),
  };
};
