/** Ending what is in flight: no host gets new work, every host under work comes to a clean end. */
import type { StopReason } from '../activities/session-activities';
import { quick } from './activity-proxies';
import { hostTeller } from './host-workflows';
import { abort, wakeUp } from './messages';
import { listenForWakeUps } from './wake-ups';

/** Hosts report when they have ended; if none does, all are told again, less and less often. */
const firstLookMs = 5_000;
const longestLookMs = 600_000;

/** @param reason why the session fails; shown in its detail before everything has ended */
export async function stopWork(sessionId: string, how: StopReason, reason?: string): Promise<void> {
  const wakeUps = listenForWakeUps();
  const tell = hostTeller(sessionId);
  let lookAgainMs = firstLookMs;
  let woken = false;
  for (;;) {
    const stopping = await quick.stopWork({ sessionId, how, ...(reason !== undefined && { reason }) });
    const { underWork } = stopping;
    if (underWork.length === 0) break;
    const message = stopping.how === 'aborting' ? abort : wakeUp;
    if (!woken) await Promise.all(underWork.map((hostname) => tell(hostname, message)));
    woken = await wakeUps.within(lookAgainMs);
    if (!woken) lookAgainMs = Math.min(lookAgainMs * 2, longestLookMs);
  }
  await quick.reconcileSession({ sessionId });
}
