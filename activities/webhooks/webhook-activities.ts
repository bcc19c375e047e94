/** Delivers events to webhooks, and wakes those who wait for a window that this has opened. */
import { Context } from '@temporalio/activity';
import type { LaneWait } from '../../events/webhooks/deliver-lane';
import type { Lane } from '../../prisma/webhooks/deliveries';
import type { Services } from '../services';
import { wakeOpened } from './wake-opened';

export const createWebhookActivities = (services: Pick<Services, 'deliveries' | 'workflowCalls'>) => ({
  /** Delivers what is due of the session's events to the webhook. */
  deliverEvents(lane: Lane): Promise<LaneWait> {
    return services.deliveries.deliver(lane, {
      signal: Context.current().cancellationSignal,
      opened: (windows) => wakeOpened(services, windows),
    });
  },
});

export type WebhookActivities = ReturnType<typeof createWebhookActivities>;
