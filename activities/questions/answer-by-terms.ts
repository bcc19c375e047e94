/**
 * Answers questions by the terms of their projects, as a reply would: when they are asked, or once their windows have
 * ended in silence. Which questions terms answer: rules/terms/answer-by-terms.ts.
 */
import type { Transaction } from '../../prisma/database';
import { recordAnswersByTerms } from '../../prisma/questions/record-answers-by-terms';
import { logFact } from '../log-facts';
import type { Services } from '../services';

export type ServicesForTerms = Pick<Services, 'logger'> & { readonly cloud: Pick<Services['cloud'], 'actions'> };

/**
 * @param of open questions: just recorded, or their windows have ended
 * @returns the IDs of those that terms have answered
 */
export const answerByTerms = async (
  services: ServicesForTerms,
  tx: Transaction,
  of: Parameters<typeof recordAnswersByTerms>[2],
): Promise<readonly string[]> => {
  const { ids, answers } = await recordAnswersByTerms(tx, services.cloud.actions, of);
  for (const answer of answers) logFact(services, tx, { what: 'question answered by terms', ...answer });
  return ids;
};
