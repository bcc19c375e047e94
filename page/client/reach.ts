/**
 * Whether the API can be reached: one answer for the whole page, so that none of its parts says otherwise. A request
 * that fails, or a question about its health that gets no answer, says no, and ends all that is still waited for; any
 * answer says yes.
 */
import { type ReadonlySignal, signal } from '@preact/signals';

export interface Reach {
  readonly isAway: ReadonlySignal<boolean>;
  /** Aborted as soon as the API is found away. */
  readonly untilAway: () => AbortSignal;
  readonly found: () => void;
  readonly lost: () => void;
}

export const createReach = (): Reach => {
  const isAway = signal(false);
  let waiting = new AbortController();
  return {
    isAway,
    untilAway: () => waiting.signal,
    found: () => {
      isAway.value = false;
    },
    lost: () => {
      isAway.value = true;
      const ended = waiting;
      waiting = new AbortController();
      ended.abort();
    },
  };
};
