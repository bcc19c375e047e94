/** The questions about a state of the session: the activities that its workflow calls. */
import type { Services } from '../services';
import { type AskedProjects, askProjects } from './ask-projects';
import { type ScaledIn, scaleIn } from './scale-in';
import type { StateRef } from './state-ref';

export const createQuestionActivities = (services: Services) => ({
  askProjects: (ref: StateRef): Promise<AskedProjects> => askProjects(services, ref),
  scaleIn: (ref: StateRef): Promise<ScaledIn> => scaleIn(services, ref),
});

export type QuestionActivities = ReturnType<typeof createQuestionActivities>;
