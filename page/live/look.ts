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

/** The least time between the end of a look and the beginning of the next. */
const leastBetweenMs = 700;
/** A look that took long rests this many times its length: a plan of a thousand hosts takes seconds. */
const usualRestFactor = 10;

export const startLook = <T>(looking: Looking<T>): Look<T> => {
  const { after } = looking;
  const mayBegin = computed(
    () => after === undefined || after.seen.value !== undefined || after.problem.value !== undefined,
  );
  const looks = new Looks(looking, () => mayBegin.peek());
  const look = (): void => void looks.look();
  document.addEventListener('visibilitychange', look);
  addEventListener('online', look);
  const leaveBegin = effect(() => {
    if (mayBegin.value) look();
  });
  return {
    seen: looks.seen,
    problem: looks.problem,
    again: () => looks.again(),
    stop: () => {
      looks.stop();
      leaveBegin();
      document.removeEventListener('visibilitychange', look);
      removeEventListener('online', look);
    },
  };
};

/** One look after the other, with the pause between them. */
class Looks<T> {
  readonly seen = signal<Seen<T> | undefined>(undefined);
  readonly problem = signal<unknown>(undefined);
  #etag: string | undefined;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #isReading = false;
  #isStopped = false;
  #isAskedAgain = false;

  constructor(
    private readonly looking: Looking<T>,
    private readonly mayBegin: () => boolean,
  ) {}

  async look(): Promise<void> {
    if (this.#isReading || this.#isStopped || !this.mayBegin() || document.visibilityState === 'hidden') return;
    clearTimeout(this.#timer);
    this.#isReading = true;
    const begunMs = performance.now();
    try {
      const answer = await this.looking.read(this.#etag);
      if (answer !== undefined) {
        this.seen.value = { body: answer.body, atMs: Date.now() };
        this.#etag = answer.etag;
      }
      this.problem.value = undefined;
    } catch (error) {
      this.problem.value = error;
    }
    this.#isReading = false;
    this.#plan(performance.now() - begunMs);
  }

  again(): void {
    this.#isAskedAgain = true;
    if (this.#isReading) return;
    clearTimeout(this.#timer);
    this.#lookAfter(leastBetweenMs);
  }

  stop(): void {
    this.#isStopped = true;
    clearTimeout(this.#timer);
  }

  #plan(tookMs: number): void {
    const { value: problem } = this.problem;
    if (this.#isStopped || (problem !== undefined && !isPassing(problem))) return;
    const { everyMs, restFactor = usualRestFactor } = this.looking;
    const restMs = problem === undefined ? tookMs * restFactor : 0;
    this.#lookAfter(Math.max(this.#isAskedAgain ? leastBetweenMs : everyMs, restMs));
  }

  #lookAfter(ms: number): void {
    this.#timer = setTimeout(() => void this.look(), ms);
    this.#isAskedAgain = false;
  }
}
