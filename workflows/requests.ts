/**
 * An admin's requests to a running session: pause, resume, abort. The facts are in the row: a request that comes twice,
 * late, or again after a reset does what the row says, and nothing more.
 */
import { ApplicationFailure, CancellationScope, setHandler } from '@temporalio/workflow';
import { abort, abortSession, pauseSession, resumeSession } from '../temporal/workflow-messages';
import { quick } from './activity-proxies';
import type { WakeUps } from './wake-ups';

export interface Requests {
  isAborted(): boolean;
  /** Checks whether the session is to be aborted, and if so cancels its work. */
  takeUpAbort(): Promise<void>;
  /** Refuses from now on to pause or resume the session. */
  nowEnding(because: string): void;
}

interface RequestParts {
  readonly sessionId: string;
  /** The scope that an abort cancels. */
  readonly work: CancellationScope;
  readonly wakeUps: WakeUps;
}

export const listenForRequests = ({ sessionId, work, wakeUps }: RequestParts): Requests => {
  let ending: string | undefined;
  let aborted = false;
  const cancelWork = () => {
    aborted = true;
    ending ??= 'it is being aborted';
    work.cancel();
    wakeUps.note();
  };
  let look: Promise<void> | undefined;
  const lookOnce = async () => {
    if (await CancellationScope.nonCancellable(() => quick.takeUpAbort({ sessionId }))) cancelWork();
  };
  /**
   * A client that waits for a deletion may ask for it many times a second. So there is one check at a time, and none
   * after an abort has begun.
   */
  const takeUpAbort = async () => {
    if (aborted) return;
    look ??= lookOnce().finally(() => (look = undefined));
    await look;
  };
  const assertNotEnding = () => {
    if (ending !== undefined) throw ApplicationFailure.nonRetryable(ending, 'Ending');
  };
  const lookAgain = () => wakeUps.note();
  setHandler(pauseSession, lookAgain, { validator: assertNotEnding });
  setHandler(resumeSession, lookAgain, { validator: assertNotEnding });
  setHandler(abortSession, takeUpAbort);
  setHandler(abort, () => {
    void takeUpAbort().catch(() => undefined);
  });
  return {
    isAborted: () => aborted,
    takeUpAbort,
    nowEnding(because) {
      ending ??= because;
    },
  };
};
