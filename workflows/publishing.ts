/** Publishing beside the work: a bus that is away holds up questions, never a move that has begun. */
import { CancellationScope, condition } from '@temporalio/workflow';
import { quick } from './activity-proxies';

export interface Publishing {
  /** There are events to publish; returns at once. */
  soon(): void;
  /** Waits until nothing is left to publish, at most this long; the sweeper publishes what is left then. */
  drain(milliseconds: number): Promise<void>;
}

export const publishInBackground = (sessionId: string): Publishing => {
  let due = false;
  let busy = false;
  const publishAll = async () => {
    busy = true;
    try {
      while (due) {
        due = false;
        await quick.publishEvents({ sessionId });
      }
    } finally {
      busy = false;
    }
  };
  return {
    soon() {
      due = true;
      // Not cancelled with the work: events of what is done are still told.
      if (!busy) void CancellationScope.nonCancellable(publishAll).catch(() => undefined);
    },
    async drain(milliseconds) {
      await condition(() => !busy, milliseconds);
    },
  };
};
