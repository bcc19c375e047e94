/** Ends questions without a reply, and logs each. */
import type { Transaction } from '../../prisma/database';
import type { HostRef } from '../../prisma/hosts/session-hosts';
import * as ends from '../../prisma/questions/close-questions';
import type { LoggedQuestion } from '../../prisma/questions/logged-questions';
import { logFact } from '../log-facts';
import type { Services } from '../services';
import { answerByTerms, type ServicesForTerms } from './answer-by-terms';

type EndLogging = Pick<Services, 'logger'>;

const logAll =
  (services: EndLogging, tx: Transaction) =>
  (what: string, questions: readonly LoggedQuestion[]): void => {
    for (const question of questions) logFact(services, tx, { what, ...question });
  };

/**
 * Ends questions whose windows have ended in silence. The answer of the project's terms follows, or else the default
 * behaviour, or reply_policy.
 */
export const closeUnanswered = async (
  services: ServicesForTerms,
  tx: Transaction,
  ids: readonly string[],
): Promise<void> => {
  if (ids.length === 0) return;
  const answered = await answerByTerms(services, tx, { ids });
  const unanswered = ids.filter((id) => !answered.includes(id));
  logAll(services, tx)('question closed without an answer', await ends.closeAsSilence(tx, unanswered));
};

/** Closes questions whose instances are gone, so that nobody waits for an answer. */
export const closeUnneeded = async (services: EndLogging, tx: Transaction, ids: readonly string[]): Promise<void> =>
  logAll(services, tx)('question not needed any more', await ends.closeQuestionRows(tx, ids, 'unneeded'));

/**
 * Closes the open questions of a session, about a host or of a claim. Their subjects are asked about again, or not at
 * all.
 */
export const withdrawQuestions = async (services: EndLogging, tx: Transaction, of: ends.QuestionsOf): Promise<void> =>
  logAll(services, tx)('question withdrawn', await ends.closeToAskAgain(tx, of));

/** Closes questions about other states when the session enters this one. */
export const goOnInState = async (
  services: EndLogging,
  tx: Transaction,
  { sessionId, state }: { readonly sessionId: string; readonly state: string },
): Promise<void> => logAll(services, tx)('question withdrawn', await ends.settleOtherStates(tx, sessionId, state));

/** Closes questions about a drained host when its maintenance begins. */
export const goOnFromHost = async (services: EndLogging, tx: Transaction, host: HostRef): Promise<void> =>
  logAll(services, tx)('question not needed any more', await ends.settleDrainedHost(tx, host));
