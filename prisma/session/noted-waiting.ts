/** What a session waits for, as admission notes it for detail and display (planning/fleet/fleet.ts, Waiting). */
import type { Waiting } from '../../planning/fleet/fleet';

export interface NotedWaiting extends Omit<Waiting, 'remainingMs'> {
  /** Since when it waits for just that. */
  readonly sinceMs: number;
  /** When that ends at the latest, where it is known: so what remains can be told whenever it is shown. */
  readonly untilMs?: number;
}

/** @param stored what was noted at the decision before: what still holds has held since then */
export const notedAt = (nowMs: number, waiting: readonly Waiting[], stored: unknown): NotedWaiting[] => {
  const since = sinceByReason(stored);
  return waiting.map(({ remainingMs, ...reason }) => ({
    ...reason,
    sinceMs: since.get(keyOf(reason)) ?? nowMs,
    ...(remainingMs !== undefined && { untilMs: Math.round(nowMs + remainingMs) }),
  }));
};

const keyOf = ({ waitingFor, who, subject }: Pick<Waiting, 'waitingFor' | 'who' | 'subject'>): string =>
  JSON.stringify([waitingFor, who, subject]);

/** Rows of earlier versions do not say since when. */
const sinceByReason = (stored: unknown): ReadonlyMap<string, number> => {
  // The column holds what `notedAt` returned.
  const reasons = Array.isArray(stored) ? (stored as readonly Partial<NotedWaiting>[]) : [];
  return new Map(
    reasons.flatMap(({ waitingFor, who, subject, sinceMs }) =>
      waitingFor === undefined || who === undefined || subject === undefined || sinceMs === undefined
        ? []
        : [[keyOf({ waitingFor, who, subject }), sinceMs] as const],
    ),
  );
};
