/** Replies that come at the same time share a transaction. What each does is what it does alone. */
import { randomUUID } from 'node:crypto';
import fc from 'fast-check';
import { type Database, inTransaction } from '../../../prisma/database';
import { type AddressedReply, recordReplies } from '../../../prisma/questions/project-replies';
import { idOf } from '../../../rules/cloud/id';
import { simulatedActions } from '../../../rules/simulation/simulated-actions';
import { untilAnybodyWaitsForALock } from '../activities/moves/granted-move';
import { aGate } from '../events/a-gate';
import { recordSession } from '../events/recorded-facts';
import { createTestDatabase } from '../setup/test-database';

let database: Awaited<ReturnType<typeof createTestDatabase>>;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.drop());

const project = (number: number): string => `00000000-0000-4000-9000-${String(number).padStart(12, '0')}`;
const instance = (number: number): string => `00000000-0000-4000-8000-${String(number).padStart(12, '0')}`;
const state = 'PLANNED_MAINTENANCE';

/** Projects, each asked about an instance at its own address and once more at the instance's. */
const askAll = async (db: Database, projects = 3): Promise<string> => {
  const sessionId = await recordSession(db);
  for (let number = 0; number < projects; number += 1) {
    const [projectId, instanceId] = [project(number), instance(number)];
    const seen = { instanceName: `vm-${number}`, projectId, host: 'a', state: 'ACTIVE' };
    await db.sessionInstance.create({ data: { sessionId, instanceId, ...seen } });
    // Of another ID in each session: an instance has one open claim over all sessions.
    const claim = { sessionId, projectId, instanceId: randomUUID(), instanceName: `vm-${number}`, groupKey: 'group' };
    const asked = { source: 'a', target: 'b', action: 'LIVE_MIGRATE', phase: 'asked', recoveryTime: 0, amounts: {} };
    const { id } = await db.claim.create({ data: { ...claim, ...asked, askedAt: new Date() } });
    const whole = { instanceId: null, claimId: null };
    for (const subject of [whole, { instanceId, claimId: id }]) {
      const about = { sessionId, projectId, ...subject, state, instanceIds: [instanceId] };
      const offered = { allowedActions: ['MIGRATE', 'OWN_ACTION'], windowSeconds: 3600, messageId: randomUUID() };
      await db.question.create({ data: { ...about, ...offered, replyAt: new Date(Date.now() + 3_600_000) } });
    }
  }
  return sessionId;
};

interface Sent {
  readonly number: number;
  readonly alone: boolean;
  readonly answer: 'ACK' | 'NACK';
  readonly action: string | undefined;
  readonly state: string;
  readonly known: boolean;
}

const sent: fc.Arbitrary<Sent> = fc.record({
  number: fc.integer({ min: 0, max: 2 }),
  alone: fc.boolean(),
  answer: fc.constantFrom('ACK', 'NACK'),
  action: fc.constantFrom(undefined, 'MIGRATE', 'OWN_ACTION', 'LIVE_MIGRATE'),
  state: fc.constantFrom(state, state, state, 'IN_MAINTENANCE'),
  known: fc.constantFrom(true, true, true, false),
});

const replyIn = (sessionId: string, { number, alone, answer, action, known, ...of }: Sent): AddressedReply => {
  const [projectId, instanceId] = [project(number), instance(number)];
  const instanceActions = action === undefined ? {} : { [instanceId]: action };
  const reply = { state: of.state, answer, instanceActions, ...(alone && { instanceId }) };
  return { target: { sessionId: known ? sessionId : randomUUID(), projectId: idOf(projectId) }, reply };
};

/** The session's records of its questions and instances. Values that differ from session to session are left out. */
const recordsOf = async (db: Database, sessionId: string) => ({
  questions: await db.question.findMany({
    where: { sessionId },
    select: { projectId: true, instanceId: true, status: true, answer: true, instanceActions: true },
    orderBy: [{ projectId: 'asc' }, { instanceId: 'asc' }],
  }),
  instances: await db.sessionInstance.findMany({
    where: { sessionId },
    select: { instanceId: true, projectState: true, action: true },
    orderBy: { instanceId: 'asc' },
  }),
  claims: await db.claim.findMany({
    where: { sessionId },
    select: { instanceName: true, phase: true, action: true },
    orderBy: { instanceName: 'asc' },
  }),
  times: await db.answerTime.count({
    where: { questionId: { in: (await db.question.findMany({ where: { sessionId } })).map(({ id }) => id) } },
  }),
});

const withoutTimes = (outcome: object): string =>
  JSON.stringify(outcome).replace(/"(sessionId|replyAt|answeredAt)":"[^"]*"/g, '');

/** In the order of the replies. */
const outcomesOf = async (db: Database, replies: readonly AddressedReply[]) => {
  const recorded = await recordReplies(db, simulatedActions, replies);
  return replies.map((reply) => recorded.get(reply) ?? {});
};

it('has the outcomes and leaves the records of replies that come one after the other', async () => {
  const { db } = database;
  await fc.assert(
    fc.asyncProperty(fc.array(sent, { minLength: 2, maxLength: 12 }), async (replies) => {
      const [together, alone] = [await askAll(db), await askAll(db)];
      const outcomes = await outcomesOf(
        db,
        replies.map((reply) => replyIn(together, reply)),
      );
      const expected = [];
      for (const reply of replies) expected.push(...(await outcomesOf(db, [replyIn(alone, reply)])));
      expect(outcomes.map(withoutTimes)).toEqual(expected.map(withoutTimes));
      expect(await recordsOf(db, together)).toEqual(await recordsOf(db, alone));
    }),
    { numRuns: 30 },
  );
});

it('takes replies to questions that somebody changes at this moment', async () => {
  const { db } = database;
  const projects = 50;
  const sessionId = await askAll(db, projects);
  // Each was asked before, about an earlier state.
  const asked = await db.question.findMany({ where: { sessionId } });
  for (const { projectId, instanceId, instanceIds } of asked) {
    const before = {
      state: 'PREPARE_MAINTENANCE',
      status: 'answered',
      answer: 'ACK',
      createdAt: new Date(0),
      messageId: randomUUID(),
    };
    const about = { sessionId, projectId, instanceId, instanceIds: instanceIds ?? [] };
    await db.question.create({ data: { ...about, ...before, allowedActions: ['MIGRATE'], windowSeconds: 3600 } });
  }
  const [changing, end] = [aGate(), aGate()];
  const changed = inTransaction(db, async (tx) => {
    await tx.question.updateMany({ where: { sessionId, status: 'open' }, data: { askedAt: new Date() } });
    changing.open();
    await end.passed;
  });
  await changing.passed;
  const replies = Array.from({ length: projects }).flatMap((_, number) =>
    [true, false].map((alone) =>
      replyIn(sessionId, { number, alone, answer: 'ACK', action: undefined, state, known: true }),
    ),
  );
  const recorded = outcomesOf(db, replies);
  await untilAnybodyWaitsForALock(db);
  end.open();
  await changed;
  expect(await recorded).toEqual(replies.map(() => expect.objectContaining({ kind: 'taken' }) as unknown));
});

it('tells the outcomes of replies that were recorded before another one could not be', async () => {
  const { db } = database;
  const sessionId = await askAll(db);
  await db.$executeRawUnsafe(`
    CREATE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE EXCEPTION 'refused'; END $$`);
  await db.$executeRawUnsafe(`
    CREATE TRIGGER refuse BEFORE UPDATE ON question FOR EACH ROW WHEN (NEW.answer = 'NACK') EXECUTE FUNCTION refuse()`);
  const given = { alone: true, action: undefined, state, known: true };
  const replies = [
    replyIn(sessionId, { ...given, number: 0, answer: 'ACK' }),
    replyIn(sessionId, { ...given, number: 1, answer: 'ACK' }),
    replyIn(sessionId, { ...given, number: 0, answer: 'NACK' }),
  ];
  const kinds = (await outcomesOf(db, replies)).map((outcome) => ('kind' in outcome ? outcome.kind : 'none'));
  expect(kinds).toEqual(['taken', 'taken', 'notRecorded']);
});
