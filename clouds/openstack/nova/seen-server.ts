/** A server as Nova showed it, with the time of the answer. */
import type { HttpAnswer } from '../../http/exchange';
import type { NovaServer } from './answers';

export interface SeenServer {
  readonly server: NovaServer;
  /** The time of the answer, by Nova's own clock, in whole seconds. It may be earlier, never later (`clockOf`). */
  readonly at: Date;
}

/** Clocks of two machines may differ this much before their operators notice. */
const clocksDifferMs = 60_000;

/**
 * Some servers before Nova send no Date. Then this process's clock counts, less the time by which the two may differ:
 * what Nova does from now on must not look older than this time. What is a minute older may look new; it is told apart
 * by its request, which is on record.
 */
export const clockOf = ({ headers }: Pick<HttpAnswer, 'headers'>, now: Date): Date => {
  const date = new Date(headers.get('date') ?? '');
  return Number.isNaN(date.getTime()) ? new Date(now.getTime() - clocksDifferMs) : date;
};
