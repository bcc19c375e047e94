/** Wakes whoever waits for something to happen: any number of rings while nobody waits cause one look. */
import { Context } from '@temporalio/activity';

export interface Bell {
  ring(): void;
  /** Waits until it rings, at most this long; false when the time passed without a ring. Ends with its activity. */
  within(milliseconds: number): Promise<boolean>;
  /** Milliseconds since it rang last. */
  quietMs(): number;
}

export const createBell = (): Bell => {
  const { cancellationSignal, cancelled } = Context.current();
  let [isRung, rungMs] = [false, performance.now()];
  let wake: () => void = () => undefined;
  cancellationSignal.addEventListener('abort', () => wake(), { once: true });
  return {
    ring() {
      [isRung, rungMs] = [true, performance.now()];
      wake();
    },
    async within(milliseconds) {
      if (!isRung && !cancellationSignal.aborted) {
        await new Promise<void>((resolve) => {
          const timer = setTimeout(resolve, milliseconds);
          wake = () => {
            clearTimeout(timer);
            resolve();
          };
        });
      }
      if (cancellationSignal.aborted) return cancelled;
      const woken = isRung;
      isRung = false;
      return woken;
    },
    quietMs: () => performance.now() - rungMs,
  };
};
