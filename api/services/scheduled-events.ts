/** Scheduled events of a project or an instance: what it was told is coming, and what it says may begin. */
import type { Logger } from 'pino';
import {
  acknowledge,
  type AcknowledgedQuestion,
  findAcknowledgedQuestions,
  findUnknownWords,
} from '../../prisma/coming/acknowledged';
import type { SecretTarget } from '../../prisma/coming/secret-addresses';
import { findWordsOfProject, newestRevision } from '../../prisma/coming/told-coming';
import type { Database } from '../../prisma/database';
import { type Id, idOf } from '../../rules/cloud/id';
import { unknownEvents } from '../problems/coming-problems';
import { ApiError } from '../problems/problem';
import type { ScheduledEventsBody } from '../schemas/scheduled-event-schemas';
import { scheduledEventsOf, shownAsEvents } from '../showing/scheduled-events';
import type { Replies } from './replies';

export type EventsTarget = Omit<SecretTarget, 'kind'>;

export interface ScheduledEvents {
  show(target: EventsTarget): Promise<ScheduledEventsBody>;
  /** Agrees to the open questions of which all instances are acknowledged. @throws ApiError 404 */
  acknowledge(target: EventsTarget, ids: readonly string[]): Promise<void>;
}

export interface AnsweringDeps {
  readonly db: Database;
  readonly replies: Pick<Replies, 'take'>;
  readonly logger: Logger;
}

export const createScheduledEvents = (deps: AnsweringDeps): ScheduledEvents => {
  const { db } = deps;
  return {
    async show(target) {
      // Read first: a word that comes meanwhile changes the next answer.
      const incarnation = await newestRevision(db, target);
      return scheduledEventsOf(await findWordsOfProject(db, { ...target, statuses: shownAsEvents }), incarnation);
    },
    async acknowledge(target, ids) {
      const unknown = await findUnknownWords(db, { ...target, ids });
      if (unknown.length > 0) throw unknownEvents(unknown);
      await acknowledge(db, { ...target, ids });
      await answerAcknowledged(deps, target.projectId);
    },
  };
};

/**
 * Replies in the name of the projects that have acknowledged all of what they are asked about.
 *
 * @param projectId left out: of all projects
 */
export const answerAcknowledged = async (deps: AnsweringDeps, projectId?: Id): Promise<void> => {
  for (const question of await findAcknowledgedQuestions(deps.db, projectId)) await agreeTo(deps, question);
};

/** A question that cannot be answered keeps no other from its answer; the next round tries again. */
const agreeTo = async ({ replies, logger }: AnsweringDeps, question: AcknowledgedQuestion): Promise<void> => {
  const { sessionId, projectId, state, instanceId } = question;
  const reply = { state, answer: 'ACK', instanceActions: {}, ...(instanceId !== null && { instanceId }) } as const;
  try {
    await replies.take({ sessionId, projectId: idOf(projectId) }, reply);
  } catch (error) {
    const asked = { sessionId, projectId, state };
    if (error instanceof ApiError && error.problem.status < 500) {
      // It was closed meanwhile: nobody waits for the answer.
      logger.info({ ...asked, because: error.message }, 'an acknowledgement was no answer');
    } else logger.error({ ...asked, err: error }, 'a question could not be answered by its acknowledgement');
  }
};
