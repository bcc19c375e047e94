/** All activities of the service, made from what the worker gives them. */
import { createActionActivities } from './action-activities';
import { createDownloadActivities } from './download-activities';
import { createEventActivities } from './event-activities';
import { createHostActivities } from './host-activities';
import { createPlanningActivities } from './planning-activities';
import { createPluginActivities } from './plugin-activities';
import { createQuestionActivities } from './question-activities';
import type { Services } from './services';
import { createSessionActivities } from './session-activities';
import { createSweepActivities } from './sweep-activities';

export const createActivities = (services: Services) => ({
  ...createActionActivities(services),
  ...createDownloadActivities(services),
  ...createEventActivities(services),
  ...createHostActivities(services),
  ...createPlanningActivities(services),
  ...createPluginActivities(services),
  ...createQuestionActivities(services),
  ...createSessionActivities(services),
  ...createSweepActivities(services),
});

export type Activities = ReturnType<typeof createActivities>;
