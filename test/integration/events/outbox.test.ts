import { randomUUID } from 'node:crypto';
import { createEventDrafts } from '../../../events/drafts';
import { appendEvent } from '../../../events/outbox';
import { inTransaction } from '../../../prisma/database';
import { createTestDatabase } from '../setup/test-database';
import { recordProgress, recordSession } from './recorded-facts';

const drafts = createEventDrafts({ serviceName: 'parley', adminProjectId: randomUUID(), baseUrl: 'http://127.0.0.1' });

let database: Awaited<ReturnType<typeof createTestDatabase>>;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.drop());

const seqsOf = async (sessionId: string): Promise<number[]> => {
  const rows = await database.db.event.findMany({ where: { sessionId }, orderBy: { id: 'asc' } });
  return rows.map(({ seq }) => seq);
};

describe('recording an event', () => {
  it('numbers the events of a session without gaps, also when they are recorded at the same time', async () => {
    const sessionId = await recordSession(database.db);
    await Promise.all(Array.from({ length: 20 }, (_, event) => recordProgress(database.db, sessionId, event)));
    expect((await seqsOf(sessionId)).sort((a, b) => a - b)).toEqual(
      Array.from({ length: 20 }, (_, index) => index + 1),
    );
  });

  it('records an event once, however often and by however many at a time it is appended', async () => {
    const sessionId = await recordSession(database.db);
    const draft = drafts.session({ sessionId, state: 'MAINTENANCE', percentDone: 0 });
    await Promise.all(Array.from({ length: 5 }, () => inTransaction(database.db, (tx) => appendEvent(tx, draft))));
    await recordProgress(database.db, sessionId, 1);
    expect(await seqsOf(sessionId)).toEqual([1, 2]);
  });

  it('leaves nothing behind where the fact is not committed', async () => {
    const sessionId = await recordSession(database.db);
    const undone = inTransaction(database.db, async (tx) => {
      await appendEvent(tx, drafts.session({ sessionId, state: 'MAINTENANCE', percentDone: 0 }));
      throw new Error('the fact is not so');
    });
    await expect(undone).rejects.toThrow('the fact is not so');
    await recordProgress(database.db, sessionId, 1);
    expect(await seqsOf(sessionId)).toEqual([1]);
  });

  it('gives admins the name of the session, and projects none', async () => {
    const sessionId = await recordSession(database.db);
    await database.db.session.update({ where: { id: sessionId }, data: { name: 'kernel of "rack" 7' } });
    const forAdmins = drafts.session({ sessionId, state: 'MAINTENANCE', percentDone: 0 });
    const forProject = { ...forAdmins, messageId: randomUUID(), projectId: randomUUID() };
    for (const draft of [forAdmins, forProject]) await inTransaction(database.db, (tx) => appendEvent(tx, draft));
    const rows = await database.db.event.findMany({ where: { sessionId }, orderBy: { seq: 'asc' } });
    expect(rows.map(({ payload }) => payload)).toEqual([
      { ...forAdmins.payload, session_name: 'kernel of "rack" 7' },
      forProject.payload,
    ]);
  });

  it('keeps the payload and the project as drafted, with a null project for admin events', async () => {
    const sessionId = await recordSession(database.db);
    const draft = drafts.host({ sessionId, state: 'IN_MAINTENANCE', host: `compute "1" 'ü'` });
    await inTransaction(database.db, (tx) => appendEvent(tx, draft));
    const row = await database.db.event.findUniqueOrThrow({ where: { messageId: draft.messageId } });
    expect(row).toMatchObject({
      eventType: 'maintenance.host',
      projectId: null,
      payload: draft.payload,
      position: null,
    });
  });

  it('refuses an event of a session that does not exist, and names both', async () => {
    const draft = drafts.session({ sessionId: randomUUID(), state: 'MAINTENANCE', percentDone: 0 });
    const append = inTransaction(database.db, (tx) => appendEvent(tx, draft));
    await expect(append).rejects.toThrow(`event ${draft.messageId} cannot be recorded: session ${draft.sessionId}`);
  });
});
