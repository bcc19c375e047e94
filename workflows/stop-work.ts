/** Ends everything in flight: no host gets new work, and every host under work comes to a clean end. */
import { workflowInfo } from '@temporalio/workflow';
import type { StopReason } from '../activities/session/stop-work';
import { abort, wakeUp } from '../temporal/workflow-messages';
import { quick } from './activity-proxies';
import { hostTeller } from './host-workflows';
import type { WakeUps } from './wake-ups';

/** Hosts report when they have ended. When none reports, all are told again, less and less often. */
const firstLookMs = 5_000;
const longestLookMs = 600_000;

interface Stop {
  readonly sessionId: string;
  readonly why: StopReason;
  readonly wakeUps: WakeUps;
  /** The reason why the session ends. The detail shows it before everything has ended. */
  readonly reason?: string;
  /** The run before this one told the hosts this, and continued as new. */
  readonly told?: StopReason | undefined;
  /** Continues as new when the history is long. Hosts may take hours to come to their end. */
  readonly leaveLongHistory: (told: StopReason) => Promise<void>;
}

/** @returns whether the session is to be deleted then */
export const stopWork = async ({ sessionId, why, wakeUps, reason, ...stop }: Stop): Promise<boolean> => {
  wakeUps.forget();
  const tell = hostTeller(sessionId);
  let { told } = stop;
  let lookAgainMs = firstLookMs;
  let woken = told !== undefined;
  for (;;) {
    const { underWork, how, isToBeDeleted } = await quick.stopWork({
      sessionId,
      how: why,
      ...(reason !== undefined && { reason }),
    });
    if (underWork.length === 0) {
      await quick.reconcileSession({ sessionId });
      return isToBeDeleted;
    }
    // Aborted while it fails: tells hosts in maintenance now, not at the next look.
    if (!woken || told !== how) {
      await Promise.all(underWork.map((hostname) => tell(hostname, how === 'aborting' ? abort : wakeUp)));
    }
    told = how;
    woken = await wakeUps.within(lookAgainMs);
    if (!woken) lookAgainMs = Math.min(lookAgainMs * 2, longestLookMs);
    if (workflowInfo().continueAsNewSuggested) await stop.leaveLongHistory(how);
  }
};
