/** Publishes beside the work: a bus that is down delays questions, but never a move that has begun. */
import { CancellationScope, condition } from '@temporalio/workflow';
import { quick } from './activity-proxies';

export interface Publishing {
  /** Says that there are events to publish; returns at once. */
  soon(): void;
  /** Waits until all events are published, at most this long. The sweeper publishes the rest. */
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
      // It is not cancelled with the work, because events about completed work must still be published.
      if (!busy) void CancellationScope.nonCancellable(publishAll).catch(() => undefined);
    },
    async drain(milliseconds) {
      await condition(() => !busy, milliseconds);
    },
  };
};
