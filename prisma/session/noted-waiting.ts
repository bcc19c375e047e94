/** The reasons for which a session waits, noted by admission for detail and display. */
import type { Waiting } from '../../rules/obstacles/waits';

export interface NotedWaiting extends Omit<Waiting, 'remainingMs'> {
  /** The time since which it waits for this reason. */
  readonly sinceMs: number;
  /** The latest end of the wait, when it is known, so that the remaining time can be shown at any time. */
  readonly untilMs?: number;
}

/** @param stored the reasons of the decision before: a reason that still holds keeps its time */
export const notedAt = (nowMs: number, waiting: readonly Waiting[], stored: unknown): NotedWaiting[] => {
  const since = sinceByReason(stored);
  return waiting.map(({ remainingMs, sinceMs, ...reason }) => ({
    ...reason,
    sinceMs: sinceMs ?? since.get(keyOf(reason)) ?? nowMs,
    ...(remainingMs !== undefined && { untilMs: Math.round(nowMs + remainingMs) }),
  }));
};

const keyOf = ({ waitingFor, who, subject }: Pick<Waiting, 'waitingFor' | 'who' | 'subject'>): string =>
  JSON.stringify([waitingFor, who, subject]);

const sinceByReason = (stored: unknown): ReadonlyMap<string, number> => {
  // The column holds values that `notedAt` returned.
  const reasons = Array.isArray(stored) ? (stored as readonly NotedWaiting[]) : [];
  return new Map(reasons.map((reason) => [keyOf(reason), reason.sinceMs]));
};
