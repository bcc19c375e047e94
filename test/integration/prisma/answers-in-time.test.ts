/** Which answers of projects say from when on their instances may be impacted. */
import { randomUUID } from 'node:crypto';
import { findAnswersInTime } from '../../../prisma/questions/answers-in-time';
import { recordSession } from '../events/recorded-facts';
import { createTestDatabase } from '../setup/test-database';

let database: Awaited<ReturnType<typeof createTestDatabase>>;
beforeEach(async () => {
  database = await createTestDatabase();
});
afterEach(() => database.drop());

it('leaves the time of a reply in force where terms answer the next question', async () => {
  const { db } = database;
  const sessionId = await recordSession(db);
  await db.session.update({ where: { id: sessionId }, data: { postpone: { seconds: 3600 } } });
  const instanceId = randomUUID();
  const times = { notBeforeMs: Date.now() + 1_800_000, instanceNotBeforeMs: {} };
  const asked = {
    ...{ sessionId, projectId: randomUUID(), instanceIds: [instanceId], allowedActions: [], windowSeconds: 60 },
    ...{ status: 'answered', answer: 'ACK', notBeforeLatest: new Date(Date.now() + 3_600_000) },
  };
  const [replied, byTerms] = [new Date(), new Date(Date.now() + 1000)];
  await db.question.create({
    data: { ...asked, state: 'MAINTENANCE', messageId: randomUUID(), answeredAt: replied, times },
  });
  await db.question.create({
    data: {
      ...{ ...asked, state: 'PLANNED_MAINTENANCE', messageId: randomUUID() },
      ...{ answeredAt: byTerms, answeredBy: 'terms' },
    },
  });
  const answers = (await findAnswersInTime(db, sessionId)).get(sessionId);
  expect(answers).toMatchObject([{ instanceIds: [instanceId], answer: 'ACK', times }]);
});
