/** Looks at something of the API again and again, and keeps what was seen last while the API is away. */
import { computed, effect, type ReadonlySignal, signal } from '@preact/signals';
import { isPassing } from '../client/problem';
import type { Seen } from './count-down';

export interface Look<T> {
  readonly seen: ReadonlySignal<Seen<T> | undefined>;
  /** Why the last look failed; undefined: it did not. */
  readonly problem: ReadonlySignal<unknown>;
  /** Soon, and not more often than the API bears. */
  readonly again: () => void;
  readonly stop: () => void;
}

export interface Looking<T> {
  /** @param etag of what was seen last @returns undefined: it has not changed */
  readonly read: (etag: string | undefined) => Promise<{ body: T; etag?: string | undefined } | undefined>;
  readonly everyMs: number;
  /** How many times its own length a look rests that took long. */
  readonly restFactor?: number;
  /** A look that comes first: this one begins when that one has been answered, or has failed. */
  readonly after?: Pick<Look<unknown>, 'seen' | 'problem'>;
}

/** Between the end of a look and the begin of the next. */
const leastBetweenMs = 700;
/** A look that took long rests this many times its length: a plan of a thousand hosts takes seconds. */
const usualRestFactor = 10;

export const startLook = <T>({ read, everyMs, after, restFactor = usualRestFactor }: Looking<T>): Look<T> => {
  const seen = signal<Seen<T> | undefined>(undefined);
  const problem = signal<unknown>(undefined);
  let etag: string | undefined;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let [isReading, isStopped, isAskedAgain] = [false, false, false];

  const look = async (): Promise<void> => {
    if (isReading || isStopped || !mayBegin.peek() || document.visibilityState === 'hidden') return;
    clearTimeout(timer);
    isReading = true;
    const begunMs = performance.now();
    try {
      const answer = await read(etag);
      if (answer !== undefined) {
        seen.value = { body: answer.body, atMs: Date.now() };
        etag = answer.etag;
      }
      problem.value = undefined;
    } catch (error) {
      problem.value = error;
    }
    isReading = false;
    plan(performance.now() - begunMs);
  };
  const plan = (tookMs: number): void => {
    if (isStopped || (problem.value !== undefined && !isPassing(problem.value))) return;
    const restMs = problem.value === undefined ? tookMs * restFactor : 0;
    timer = setTimeout(() => void look(), Math.max(isAskedAgain ? leastBetweenMs : everyMs, restMs));
    isAskedAgain = false;
  };
  const again = (): void => {
    isAskedAgain = true;
    if (isReading) return;
    clearTimeout(timer);
    timer = setTimeout(() => void look(), leastBetweenMs);
    isAskedAgain = false;
  };
  const onVisible = (): void => void look();
  document.addEventListener('visibilitychange', onVisible);
  addEventListener('online', onVisible);
  const mayBegin = computed(
    () => after === undefined || after.seen.value !== undefined || after.problem.value !== undefined,
  );
  const leaveBegin = effect(() => {
    if (mayBegin.value) void look();
  });
  return {
    seen,
    problem,
    again,
    stop: () => {
      isStopped = true;
      leaveBegin();
      clearTimeout(timer);
      document.removeEventListener('visibilitychange', onVisible);
      removeEventListener('online', onVisible);
    },
  };
};
