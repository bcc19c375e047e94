/**
 * Bounds the open event streams of a caller, so that one caller leaves connections and memory for the others. Each
 * process counts for itself.
 */
import type { Response } from 'express';
import { tooManyStreams } from '../problems/away-problems';

export interface StreamCount {
  /** Counts the stream until its connection is closed. @throws ApiError 429 */
  count(caller: string, res: Response): void;
}

export const createStreamCount = (most: number): StreamCount => {
  const open = new Map<string, number>();
  const add = (caller: string, change: 1 | -1): void => {
    const count = (open.get(caller) ?? 0) + change;
    if (count === 0) open.delete(caller);
    else open.set(caller, count);
  };
  return {
    count(caller, res) {
      if ((open.get(caller) ?? 0) >= most) throw tooManyStreams(most);
      add(caller, 1);
      res.once('close', () => add(caller, -1));
    },
  };
};
