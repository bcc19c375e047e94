/** The Temporal schedule that keeps a sweeper running. */
import { type Client, ScheduleAlreadyRunning, ScheduleOverlapPolicy } from '@temporalio/client';
import { taskQueue, workflowTypes } from '../temporal/workflow-messages';

export const sweeperScheduleId = 'parley-sweeper';

/** Makes the schedule once for the namespace. A sweeper that still runs continues. */
export const scheduleSweeper = async (client: Client): Promise<void> => {
  try {
    await client.schedule.create({
      scheduleId: sweeperScheduleId,
      spec: { intervals: [{ every: '15s' }] },
      policies: { overlap: ScheduleOverlapPolicy.SKIP, catchupWindow: '1m' },
      action: {
        type: 'startWorkflow',
        workflowType: workflowTypes.sweep,
        workflowId: sweeperScheduleId,
        taskQueue,
        args: [],
      },
    });
  } catch (error) {
    if (!(error instanceof ScheduleAlreadyRunning)) throw error;
  }
};
