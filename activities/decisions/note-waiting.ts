/**
 * Notes the reasons for which a session waits, for detail and display, in the transaction of the decision that finds
 * them.
 */
import { isDeepStrictEqual } from 'node:util';
import type { Transaction } from '../../prisma/database';
import { notedAt } from '../../prisma/session/noted-waiting';
import { findNotedWaiting, recordWaiting, type SessionProgress } from '../../prisma/session/session-progress';
import type { Waiting } from '../../rules/obstacles/waits';

interface Noting {
  readonly tx: Transaction;
  readonly session: SessionProgress;
  readonly now: Date;
}

export const noteWaiting = async ({ tx, session, now }: Noting, waiting: readonly Waiting[]): Promise<void> => {
  const before = await findNotedWaiting(tx, session.id);
  const noted = notedAt(now.getTime(), waiting, before);
  // A comparison as text would differ, because PostgreSQL returns the keys in its own order.
  if (!isDeepStrictEqual(noted, before)) await recordWaiting(tx, session.id, noted);
};
