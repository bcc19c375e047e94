/** Ending what is in flight: no host gets new work, every host under work comes to a clean end. */
import { quick } from './activity-proxies';
import { hostTeller } from './host-workflows';
import { abort, wakeUp } from './messages';
import { listenForWakeUps } from './wake-ups';

/**
 * failing: moves under way end and their hosts are enabled; hosts in maintenance are finished.
 * aborting: as failing, but plug-ins are cancelled and hosts in maintenance are given back as well.
 */
export type StopReason = 'failing' | 'aborting';

export async function stopWork(sessionId: string, how: StopReason): Promise<void> {
  const wakeUps = listenForWakeUps();
  const tell = hostTeller(sessionId);
  for (;;) {
    const { underWork, lookAgainMs } = await quick.stopWork({ sessionId, how });
    if (underWork.length === 0) break;
    await Promise.all(underWork.map((hostname) => tell(hostname, how === 'aborting' ? abort : wakeUp)));
    await wakeUps.within(lookAgainMs);
  }
  await quick.reconcileSession({ sessionId });
}
