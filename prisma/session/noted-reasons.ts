/**
 * The reasons for which a session waits: noted in the transaction of the decision that finds them, for all who show
 * them, with what wakes the session when others free it.
 */
import { isDeepStrictEqual } from 'node:util';
import type { Reason } from '../../rules/reasons/reason';
import { type Freed, wakesOn, wakesWhen } from '../../rules/reasons/wakes';
import type { Queryable, Transaction } from '../database';

/** @param now a reason that held at the decision before keeps the time since which it is there */
export const noteReasons = async (
  tx: Transaction,
  { sessionId: id, now }: { readonly sessionId: string; readonly now: Date },
  reasons: readonly Reason[],
): Promise<void> => {
  const row = await tx.session.findUnique({ where: { id }, select: { waiting: true } });
  const waiting = notedAt(now.getTime(), reasons, row?.waiting);
  // A comparison as text would differ, because PostgreSQL returns the keys in its own order.
  if (isDeepStrictEqual(waiting, row?.waiting)) return;
  await tx.session.update({ where: { id }, data: { waiting, wakesOn: [...wakesOn(reasons)] } });
};

/** @param stored the reasons of the decision before */
export const notedAt = (nowMs: number, reasons: readonly Reason[], stored: unknown): Noted[] => {
  const since = new Map(reasonsIn(stored).map((reason) => [keyOf(reason), reason.sinceMs]));
  return reasons.map((reason) => asJson({ ...reason, sinceMs: reason.sinceMs ?? since.get(keyOf(reason)) ?? nowMs }));
};

type Noted = { readonly [Field in keyof Reason]: Reason[Field] };

/** Leaves out what is undefined, as the column does. */
const asJson = (reason: Reason): Noted =>
  Object.fromEntries(Object.entries(reason).filter(([, value]) => value !== undefined)) as unknown as Noted;

const keyOf = ({ waitingFor, who, subject }: Reason): string => JSON.stringify([waitingFor, who, subject]);

/** The column holds what was noted. */
export const reasonsIn = (stored: unknown): readonly Reason[] =>
  Array.isArray(stored) ? (stored as readonly Reason[]) : [];

/** Unfinished sessions, other than this one, that are recorded as waiting for what became free. */
export const sessionsThatWait = async (db: Queryable, exceptId: string, freed: Freed): Promise<string[]> => {
  const rows = await db.session.findMany({
    where: {
      id: { not: exceptId },
      wakesOn: { hasSome: [...wakesWhen(freed)] },
      deletedAt: null,
      state: { notIn: ['MAINTENANCE_DONE', 'MAINTENANCE_FAILED'] },
    },
    select: { id: true },
  });
  return rows.map(({ id }) => id);
};
