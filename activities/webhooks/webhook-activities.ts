/** Delivers events to webhooks, and wakes those who wait for a window that this has opened. */
import { Context } from '@temporalio/activity';
import type { OpenedWindow } from '../../events/question-windows';
import type { Lane } from '../../prisma/webhooks/deliveries';
import type { LaneWait } from '../../webhooks/deliver-lane';
import type { Services } from '../services';

export const createWebhookActivities = (services: Services) => ({
  /** Delivers what is due of the session's events to the webhook. */
  deliverEvents(lane: Lane): Promise<LaneWait> {
    return services.deliveries.deliver(lane, {
      signal: Context.current().cancellationSignal,
      opened: (windows) => wakeOpened(services, windows),
    });
  },
});

export type WebhookActivities = ReturnType<typeof createWebhookActivities>;

/** The session and its hosts look again when the window ends. A lost wake-up costs time and nothing else. */
const wakeOpened = async ({ control }: Pick<Services, 'control'>, opened: readonly OpenedWindow[]): Promise<void> => {
  for (const { sessionId, hostname } of opened) {
    await control.wakeSession(sessionId);
    if (hostname !== null) await control.wakeHost(sessionId, hostname);
  }
};
