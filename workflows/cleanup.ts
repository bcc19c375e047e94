/** Cleans up after a failed or dead session: stops the work on its hosts, then deletes it or records that it failed. */
import { continueAsNew, upsertSearchAttributes } from '@temporalio/workflow';
import { type CleanupInput, searchAttributes } from '../temporal/workflow-messages';
import { quick } from './activity-proxies';
import { stopWork } from './stop-work';
import { listenForWakeUps } from './wake-ups';

export const sessionCleanup = async ({ sessionId }: CleanupInput): Promise<string> => {
  const wakeUps = listenForWakeUps();
  const orders = await quick.openCleanup({ sessionId });
  const leaveLongHistory = () => continueAsNew<typeof sessionCleanup>({ sessionId });
  switch (orders.kind) {
    case 'nothing':
      return 'NOTHING';
    case 'delete':
      await stopWork({ sessionId, why: 'aborting', wakeUps, leaveLongHistory });
      if ((await quick.removeSession({ sessionId })) === 'kept') return 'KEPT'; // the sweeper tries again
      await quick.publishEvents({ sessionId });
      return 'DELETED';
    case 'fail':
      await stopWork({ sessionId, why: 'failing', wakeUps, reason: orders.reason, leaveLongHistory });
      await quick.failSession({ sessionId, reason: orders.reason });
      // The session's own workflow cannot show it any more.
      upsertSearchAttributes([{ key: searchAttributes.state, value: 'MAINTENANCE_FAILED' }]);
      await quick.publishEvents({ sessionId });
      return 'MAINTENANCE_FAILED';
  }
};
