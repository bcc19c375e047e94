/** Ends what a failed or dead session left: stops its hosts' work, then deletes it or records that it failed. */
import { quick } from './activity-proxies';
import type { CleanupInput } from './messages';
import { stopWork } from './stop-work';

export async function sessionCleanup({ sessionId }: CleanupInput): Promise<string> {
  const { deleting, reason } = await quick.openCleanup({ sessionId });
  await stopWork(sessionId, deleting ? 'aborting' : 'failing');
  if (deleting) await quick.removeSession({ sessionId });
  else await quick.failSession({ sessionId, reason });
  await quick.publishEvents({ sessionId });
  return deleting ? 'DELETED' : 'MAINTENANCE_FAILED';
}
