/** All activities of the service, made from the services that the worker gives them. */
import { createDecisionActivities } from './decisions/decision-activities';
import { createDrainActivities, createHostActivities } from './hosts/host-activities';
import { createPluginActivities } from './hosts/plugin-activities';
import { createQuestionActivities } from './questions/question-activities';
import type { Services } from './services';
import { createDownloadActivities } from './session/download-activities';
import { createSessionActivities } from './session/session-activities';
import { createSweepActivities } from './upkeep/sweep-activities';
import { createWebhookActivities } from './webhooks/webhook-activities';

const createEventActivities = ({ publisher }: Pick<Services, 'publisher'>) => ({
  /** Publishes the session's unpublished events in their order. Throws, to be retried, while the bus is down. */
  publishEvents: ({ sessionId }: { readonly sessionId: string }): Promise<void> => publisher.publish(sessionId),
});

export type EventActivities = ReturnType<typeof createEventActivities>;

export const createActivities = (services: Services) => ({
  ...createDownloadActivities(services),
  ...createDrainActivities(services),
  ...createEventActivities(services),
  ...createHostActivities(services),
  ...createDecisionActivities(services),
  ...createPluginActivities(services),
  ...createQuestionActivities(services),
  ...createSessionActivities(services),
  ...createSweepActivities(services),
  ...createWebhookActivities(services),
});

export type Activities = ReturnType<typeof createActivities>;
