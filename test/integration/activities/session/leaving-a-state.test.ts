/** A session leaves a state with the newest answers to what it asked there. */
import { randomUUID } from 'node:crypto';
import { pino } from 'pino';
import type { Services } from '../../../../activities/services';
import { createSessionActivities } from '../../../../activities/session/session-activities';
import { inTransaction } from '../../../../prisma/database';
import { idOf } from '../../../../rules/cloud/id';
import type { Reply } from '../../../../rules/questions/reply';
import { drafts } from '../../events/recorded-facts';
import { recordReply } from '../../rig/record-reply';
import { createTestDatabase } from '../../setup/test-database';
import { untilAnybodyWaitsForALock } from '../moves/granted-move';
import { type RecordedRun, recordRun } from './recorded-run';

let database: Awaited<ReturnType<typeof createTestDatabase>>;
beforeEach(async () => {
  database = await createTestDatabase();
});
afterEach(() => database.drop());

const [projectId, instanceId] = [randomUUID(), randomUUID()];

/** Its project has accepted what it was asked there. */
const sessionIn = async (state: string): Promise<RecordedRun> => {
  const { db } = database;
  const recorded = await recordRun(db, { state }, [{ hostname: 'a', phase: 'waiting' }]);
  const { sessionId } = recorded;
  await db.sessionInstance.create({
    data: { sessionId, projectId, instanceId, instanceName: 'vm', host: 'a', state: 'ACTIVE' },
  });
  const asked = { sessionId, projectId, state, messageId: randomUUID(), instanceIds: [instanceId] };
  const answered = { status: 'answered', answer: 'ACK', answeredAt: new Date() };
  await db.question.create({ data: { ...asked, ...answered, allowedActions: [], windowSeconds: 60 } });
  return recorded;
};

const leave = ({ sessionId, run }: RecordedRun, state = 'START_MAINTENANCE', restsOnAnswers = true) => {
  const services = { db: database.db, drafts, logger: pino({ level: 'silent' }) } as unknown as Services;
  return run(() => createSessionActivities(services).enterState({ sessionId, state, eventId: 3, restsOnAnswers }));
};

const reply = ({ sessionId }: RecordedRun, answer: Reply['answer'], state: string) =>
  recordReply(database.db, {
    target: { sessionId, projectId: idOf(projectId) },
    reply: { state, answer, instanceActions: {} },
  });

const stateOf = async ({ sessionId }: RecordedRun) =>
  (await database.db.session.findUniqueOrThrow({ where: { id: sessionId } })).state;

it.each(['MAINTENANCE', 'A_STATE_OF_A_PACKAGE'])('stays in %s where the newest answer is a refusal', async (state) => {
  const session = await sessionIn(state);
  await reply(session, 'NACK', state);
  expect(await leave(session)).toBe('unsettled');
  expect(await stateOf(session)).toBe(state);
  expect(await reply(session, 'ACK', state)).toMatchObject({ kind: 'taken' });
  expect(await leave(session)).toBeUndefined();
  expect(await stateOf(session)).toBe('START_MAINTENANCE');
});

it('takes no other answer once it has left the state, and says since when', async () => {
  const session = await sessionIn('MAINTENANCE');
  await leave(session);
  expect(await reply(session, 'NACK', 'MAINTENANCE')).toMatchObject({
    code: 'ALREADY_BEGUN',
    because: expect.stringMatching(/^the session went on from MAINTENANCE at 2.*, by the answer ACK_MAINT/) as string,
  });
  expect(await reply(session, 'ACK', 'MAINTENANCE')).toMatchObject({ kind: 'taken' });
});

it.each([
  { situation: 'what it does not rest on', state: 'MAINTENANCE', next: 'START_MAINTENANCE', restsOnAnswers: false },
  { situation: 'the scaling back', state: 'MAINTENANCE_COMPLETE', next: 'MAINTENANCE_DONE', restsOnAnswers: true },
])('is not held up by a refusal of $situation', async ({ state, next, restsOnAnswers }) => {
  const session = await sessionIn(state);
  await reply(session, 'NACK', state);
  expect(await leave(session, next, restsOnAnswers)).toBeUndefined();
  expect(await stateOf(session)).toBe(next);
});

it('is not held up by a project that has no instance left on its hosts', async () => {
  const session = await sessionIn('MAINTENANCE');
  await reply(session, 'NACK', 'MAINTENANCE');
  await database.db.sessionInstance.updateMany({ data: { host: 'elsewhere' } });
  expect(await leave(session)).toBeUndefined();
});

it('waits for an answer that is being changed, and keeps to it', async () => {
  const session = await sessionIn('MAINTENANCE');
  const outcomes = await inTransaction(database.db, async (tx) => {
    await tx.$queryRaw`SELECT 1 FROM question FOR UPDATE`;
    const replied = reply(session, 'NACK', 'MAINTENANCE');
    await untilAnybodyWaitsForALock(database.db, 1);
    const left = leave(session);
    await untilAnybodyWaitsForALock(database.db, 2);
    return { replied, left };
  });
  expect(await outcomes.replied).toMatchObject({ kind: 'taken' });
  expect(await outcomes.left).toBe('unsettled');
});
