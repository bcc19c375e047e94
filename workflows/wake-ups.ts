/** Wake-ups of a workflow: any number of signals that arrive while it is busy cause one look at the facts. */
import { condition, setHandler } from '@temporalio/workflow';
import { wakeUp } from '../temporal/workflow-messages';

export interface WakeUps {
  /** Notes that something happened. */
  note(): void;
  /** Forgets what has happened so far. */
  forget(): void;
  /** Waits for a wake-up, at most this long; false when the time passed without one. */
  within(milliseconds: number): Promise<boolean>;
}

export const listenForWakeUps = (): WakeUps => {
  let pending = false;
  const note = () => {
    pending = true;
  };
  setHandler(wakeUp, note);
  return {
    note,
    forget() {
      pending = false;
    },
    async within(milliseconds) {
      const woken = await condition(() => pending, Math.max(1, milliseconds));
      pending = false;
      return woken;
    },
  };
};
