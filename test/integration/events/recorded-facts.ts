/** Sessions, notices and questions as activities record them. */
import { randomUUID } from 'node:crypto';
import { createEventDrafts } from '../../../events/drafts';
import { appendEvent } from '../../../events/outbox';
import { type Database, inTransaction } from '../../../prisma/database';

export const drafts = createEventDrafts({
  serviceName: 'parley',
  adminProjectId: '99999999-9999-4999-8999-999999999999',
  baseUrl: 'http://127.0.0.1:12347',
});

export const recordSession = async (db: Database, { maintenanceAt = new Date() } = {}): Promise<string> => {
  const { id } = await db.session.create({
    data: {
      id: randomUUID(),
      workflow: 'default',
      initialState: 'MAINTENANCE',
      state: 'MAINTENANCE',
      prevState: 'MAINTENANCE',
      maintenanceAt,
      metadata: {},
      actions: [],
    },
  });
  return id;
};

/** Records one maintenance.session event; returns its message_id. */
export const recordProgress = (db: Database, sessionId: string, percentDone: number): Promise<string> =>
  inTransaction(db, async (tx) => {
    const draft = drafts.session({ sessionId, state: 'PLANNED_MAINTENANCE', percentDone });
    await appendEvent(tx, draft);
    return draft.messageId;
  });

/** Records this number of events, one after the other. Returns their message_ids in that order. */
export const recordManyEvents = async (db: Database, sessionId: string, count: number): Promise<string[]> => {
  const messageIds: string[] = [];
  for (let event = 0; event < count; event += 1) messageIds.push(await recordProgress(db, sessionId, event));
  return messageIds;
};

export interface QuestionFacts {
  readonly sessionId: string;
  readonly projectId?: string;
  readonly windowSeconds?: number;
  readonly status?: 'open' | 'answered' | 'closed';
  readonly metadata?: Readonly<Record<string, unknown>>;
}

/** Records a question to a project and its event, in one transaction; returns its message_id. */
export const recordQuestion = (
  db: Database,
  { sessionId, projectId = randomUUID(), windowSeconds = 60, status = 'open', metadata = {} }: QuestionFacts,
): Promise<string> =>
  inTransaction(db, async (tx) => {
    const messageId = randomUUID();
    const asked = { sessionId, projectId, state: 'MAINTENANCE', messageId, allowedActions: [] };
    await tx.question.create({ data: { ...asked, instanceIds: [], windowSeconds, status } });
    await appendEvent(
      tx,
      drafts.planned({ ...asked, instanceIds: drafts.projectListUrl(sessionId, projectId), metadata }),
    );
    return messageId;
  });
