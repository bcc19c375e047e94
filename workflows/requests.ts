/**
 * An admin's requests to a running session: pause, resume, abort. Facts are in the row: a request that comes twice, late,
 * or again after a reset does what the row says, not more.
 */
import { ApplicationFailure, CancellationScope, patched, setHandler } from '@temporalio/workflow';
import { quick } from './activity-proxies';
import { abort, abortSession, pauseSession, resumeSession } from './messages';
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
  const takeUpAbort = async () => {
    // Once more where it was taken up before: a session that fails meanwhile has to look again.
    if (await CancellationScope.nonCancellable(() => quick.takeUpAbort({ sessionId }))) cancelWork();
  };
  const assertNotEnding = () => {
    if (ending !== undefined) throw ApplicationFailure.nonRetryable(ending, 'Ending');
  };
  const look = () => wakeUps.note();
  setHandler(pauseSession, look, { validator: assertNotEnding });
  setHandler(resumeSession, look, { validator: assertNotEnding });
  setHandler(abortSession, takeUpAbort);
  setHandler(abort, () => {
    // Without the patch: runs begun before sessions could be aborted, where the signal always meant a deletion. May go,
    // with takeUpDeletion, when none of them is left.
    if (patched('abort-as-the-row-says')) return void takeUpAbort().catch(() => undefined);
    if (aborted) return;
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
