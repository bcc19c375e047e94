/**
 * Windows for answers are long in tests, so that a manager on a slow machine is in time. Where nobody will answer, a
 * test does not wait for the end of one: it moves the end to now, in the record that the service decides by.
 */
import type { Services } from '../../../activities/services';
import type { Database } from '../../../prisma/database';
import { eventually } from '../../waiting/eventually';

/** A rig, or a service elsewhere whose database and workflows can be reached. */
interface Service {
  readonly db: Database;
  readonly services: Pick<Services, 'workflowCalls'>;
}

/** Ends the windows of the session's questions that wait for an answer, or for what an answer frees. */
export const endReplyWindows = (service: Service, sessionId: string): Promise<void> => endThose(service, { sessionId });

/** Ends the window of the question that this event asks, as soon as it has begun. */
export const endReplyWindowOf = async (service: Service, messageId: string): Promise<void> => {
  await eventually(`the window of question ${messageId} begins`, async () => {
    const question = await service.db.question.findUnique({ where: { messageId } });
    return question === null || question.askedAt !== null || undefined;
  });
  await endThose(service, { messageId });
};

const endThose = async (
  { db, services: { workflowCalls } }: Service,
  whose: { readonly sessionId: string } | { readonly messageId: string },
): Promise<void> => {
  const [clock] = await db.$queryRaw<{ now: Date }[]>`SELECT clock_timestamp() AS now`;
  const { now } = clock!;
  const inTheirWindows = { askedAt: { not: null }, replyAt: { gt: now }, status: { in: ['open', 'answered'] } };
  const questions = await db.question.updateManyAndReturn({
    where: { ...whose, ...inTheirWindows },
    data: { replyAt: now },
  });
  for (const { sessionId, hostname } of questions) {
    await workflowCalls.wakeSession(sessionId);
    if (hostname !== null) await workflowCalls.wakeHost(sessionId, hostname);
  }
};
