/**
 * Bounds the open event streams of a caller, so that one caller leaves connections and memory for the others. Each
 * process counts for itself.
 */
import { tooManyStreams } from '../problems/away-problems';

export interface StreamCount {
  /** Counts the stream until it has ended. @throws ApiError 429 */
  counted(caller: string, stream: () => Promise<void>): Promise<void>;
}

export const createStreamCount = (most: number): StreamCount => {
  const open = new Map<string, number>();
  const add = (caller: string, change: 1 | -1): void => {
    const count = (open.get(caller) ?? 0) + change;
    if (count === 0) open.delete(caller);
    else open.set(caller, count);
  };
  return {
    async counted(caller, stream) {
      if ((open.get(caller) ?? 0) >= most) throw tooManyStreams(most);
      add(caller, 1);
      try {
        await stream();
      } finally {
        add(caller, -1);
      }
    },
  };
};
