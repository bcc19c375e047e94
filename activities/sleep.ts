/** Sleeps within an activity, or within a part of one that may be over earlier. */
import { AsyncLocalStorage } from 'node:async_hooks';
import { setMaxListeners } from 'node:events';
import { CancelledFailure, Context } from '@temporalio/activity';

const parts = new AsyncLocalStorage<AbortSignal>();

/** Runs a part of an activity. When `over` is aborted, its sleeps end with CancelledFailure. */
export const whileNotOver = <T>(over: AbortSignal, part: () => Promise<T>): Promise<T> => parts.run(over, part);

/**
 * Waits so long. Ends at once when the activity is cancelled, its worker stops, or its part is over. `Context.sleep`
 * would keep something of each sleep until the activity ends, and the work on a host sleeps many thousand times.
 *
 * @throws CancelledFailure
 */
export const sleep = async (milliseconds: number): Promise<void> => {
  const { cancellationSignal, cancelled } = Context.current();
  const over = parts.getStore();
  const signals = over === undefined ? [cancellationSignal] : [cancellationSignal, over];
  // All moves of a host sleep side by side.
  setMaxListeners(0, ...signals);
  const isOver = (): boolean => signals.some(({ aborted }) => aborted);
  const end = async (): Promise<never> => {
    if (cancellationSignal.aborted) await cancelled;
    throw new CancelledFailure('this part of the activity is over');
  };
  if (isOver()) return end();
  let wake: () => void = () => undefined;
  await new Promise<void>((resolve) => {
    const timer = setTimeout(resolve, milliseconds);
    wake = () => {
      clearTimeout(timer);
      resolve();
    };
    for (const signal of signals) signal.addEventListener('abort', wake, { once: true });
  });
  for (const signal of signals) signal.removeEventListener('abort', wake);
  if (isOver()) await end();
};
