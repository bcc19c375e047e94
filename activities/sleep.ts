/** Sleeps within an activity. */
import { setMaxListeners } from 'node:events';
import { Context } from '@temporalio/activity';

/**
 * Waits so long. Ends at once when the activity is cancelled or its worker stops. `Context.sleep` would keep something
 * of each sleep until the activity ends, and the work on a host sleeps many thousand times.
 *
 * @throws CancelledFailure
 */
export const sleep = async (milliseconds: number): Promise<void> => {
  const { cancellationSignal, cancelled } = Context.current();
  // All moves of a host sleep side by side.
  setMaxListeners(0, cancellationSignal);
  const isAborted = (): boolean => cancellationSignal.aborted;
  if (isAborted()) return cancelled;
  let wake: () => void = () => undefined;
  await new Promise<void>((resolve) => {
    const timer = setTimeout(resolve, milliseconds);
    wake = () => {
      clearTimeout(timer);
      resolve();
    };
    cancellationSignal.addEventListener('abort', wake, { once: true });
  });
  cancellationSignal.removeEventListener('abort', wake);
  if (isAborted()) await cancelled;
};
