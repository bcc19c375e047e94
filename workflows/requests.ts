/**
 * An admin's requests to a running session: pause, resume, abort. Facts are in the row: a request that comes twice,
 * late, or again after a reset does what the row says, not more.
 */
import { ApplicationFailure, CancellationScope, patched, setHandler } from '@temporalio/workflow';
import { abort, abortSession, pauseSession, resumeSession } from '../messages/workflow-messages';
import { quick } from './activity-proxies';
import type { WakeUps } from './wake-ups';

export interface Requests {
  isAborted(): boolean;
  /** Looks whether the session is to be aborted, and if so cancels its work. */
  takeUpAbort(): Promise<void>;
  /** From now on the session cannot be paused or resumed. */
  nowEnding(because: string): void;
}

interface Requested {
  readonly sessionId: string;
  /** What an abort cancels. */
  readonly work: CancellationScope;
  readonly wakeUps: WakeUps;
}

export const listenForRequests = ({ sessionId, work, wakeUps }: Requested): Requests => {
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
   * Whoever waits for a deletion may ask for it many times a second: one look at a time, and none when it is taken up.
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
    // Without the patch: runs begun before sessions could be aborted, where the signal always meant a deletion. May go,
    // with takeUpDeletion, when none of them is left.
    if (aborted) return;
    if (patched('abort-as-the-row-says')) return void takeUpAbort().catch(() => undefined);
    void CancellationScope.nonCancellable(() => quick.takeUpDeletion({ sessionId })).catch(() => undefined);
    cancelWork();
  });
  return {
    isAborted: () => aborted,
    takeUpAbort,
    nowEnding(because) {
      ending ??= because;
    },
  };
};
