/** Opens windows that have waited long enough for the webhook of their project. */
import { openReplyWindows } from '../../events/reply-windows';
import { databaseNow, type Transaction } from '../../prisma/database';
import { findMessageIds } from '../../prisma/questions/question-rounds';
import { isToBeOpened } from '../../rules/questions/negotiation';
import type { Question } from '../../rules/questions/question';
import type { Services } from '../services';

const waitsForWebhook = ({ askedAtMs, opensByMs }: Question): boolean =>
  askedAtMs === undefined && opensByMs !== undefined;

/** @param read locks the questions and returns them; called again when windows were opened */
export const readWithReplyWindowsOpened = async (
  { logger }: Pick<Services, 'logger'>,
  tx: Transaction,
  read: () => Promise<Question[]>,
): Promise<Question[]> => {
  const questions = await read();
  if (!questions.some(waitsForWebhook)) return questions;
  const nowMs = (await databaseNow(tx)).getTime();
  const due = questions.filter((question) => isToBeOpened(question, nowMs));
  if (due.length === 0) return questions;
  const messageIds = await findMessageIds(
    tx,
    due.map(({ id }) => id),
  );
  await openReplyWindows({ tx, logger }, messageIds);
  return read();
};
