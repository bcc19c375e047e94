import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { pino } from 'pino';
import { createPublisher, type Publisher, type PublisherLimits } from '../../../events/publisher';
import { inTransaction, lockSession } from '../../../prisma/database';
import { specifiedNames } from '../../builders/wire-names';
import { createTestDatabase } from '../setup/test-database';
import { aGate } from './a-gate';
import { recordManyEvents, recordProgress, recordQuestion, recordSession } from './recorded-facts';
import { createRecordingBus, messageIdsOf, type RecordingBus, withoutRepeats } from './recording-bus';

let database: Awaited<ReturnType<typeof createTestDatabase>>;
let bus: RecordingBus;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.drop());
beforeEach(async () => {
  await database.db.event.deleteMany();
  bus = createRecordingBus();
});

/** Its limits are long: a publisher that a busy machine holds up keeps its lease, unless the test takes that away. */
const aPublisher = (limits: Partial<PublisherLimits> = {}): Publisher =>
  createPublisher({
    db: database.db,
    bus,
    names: specifiedNames,
    logger: pino({ level: 'silent' }),
    limits: { pollMs: 10, leaseMs: 600_000, sendMs: 300_000, ...limits },
  });

const unpublished = (sessionId: string): Promise<number> =>
  database.db.event.count({ where: { sessionId, publishedAt: null } });

const leaseOf = (sessionId: string) => database.db.eventLease.findUnique({ where: { sessionId } });

describe('publishing', () => {
  it('brings the events to the bus in their order, keyed by session, and then leaves the lease', async () => {
    const sessionId = await recordSession(database.db);
    const recorded = await recordManyEvents(database.db, sessionId, 5);
    await aPublisher().publish(sessionId);
    expect(messageIdsOf(bus.messages)).toEqual(recorded);
    expect(bus.messages.every(({ key }) => key === sessionId)).toBe(true);
    expect(await unpublished(sessionId)).toBe(0);
    expect(await leaseOf(sessionId)).toBeNull();
  });

  it('sends nothing twice when it is called again', async () => {
    const sessionId = await recordSession(database.db);
    const recorded = await recordManyEvents(database.db, sessionId, 2);
    const publisher = aPublisher();
    await publisher.publish(sessionId);
    await publisher.publish(sessionId);
    expect(messageIdsOf(bus.messages)).toEqual(recorded);
  });

  it('gives events places on the stream in the order of their numbers', async () => {
    const sessionId = await recordSession(database.db);
    await recordManyEvents(database.db, sessionId, 5);
    await aPublisher({ maxEvents: 2 }).publish(sessionId);
    const rows = await database.db.event.findMany({ where: { sessionId }, orderBy: { position: 'asc' } });
    expect(rows.map(({ seq }) => seq)).toEqual([1, 2, 3, 4, 5]);
  });

  it.each([
    { cap: 'events', limits: { maxEvents: 2 }, sizes: [2, 2, 1] },
    { cap: 'bytes, with one event at least', limits: { maxBytes: 1 }, sizes: [1, 1, 1, 1, 1] },
  ])('sends batches capped by $cap', async ({ limits, sizes }) => {
    const sessionId = await recordSession(database.db);
    const recorded = await recordManyEvents(database.db, sessionId, 5);
    const newestAfterEach: number[] = [];
    bus.after = () => Promise.resolve(void newestAfterEach.push(bus.messages.length));
    await aPublisher(limits).publish(sessionId);
    expect(newestAfterEach.map((sent, index) => sent - (newestAfterEach[index - 1] ?? 0))).toEqual(sizes);
    expect(messageIdsOf(bus.messages)).toEqual(recorded);
  });

  it('publishes for a deleted session of which nothing else is left', async () => {
    const sessionId = await recordSession(database.db);
    const recorded = await recordQuestion(database.db, { sessionId });
    await database.db.question.deleteMany({ where: { sessionId } });
    await database.db.session.update({ where: { id: sessionId }, data: { deletedAt: new Date() } });
    await aPublisher().publish(sessionId);
    expect(messageIdsOf(bus.messages)).toEqual([recorded]);
  });

  it('does not keep the session locked while it sends', async () => {
    const sessionId = await recordSession(database.db);
    await recordProgress(database.db, sessionId, 0);
    bus.before = async () => {
      await database.db.$queryRaw`SELECT 1 FROM session WHERE id = ${sessionId}::uuid FOR UPDATE NOWAIT`;
      await database.db.$queryRaw`SELECT 1 FROM event WHERE session_id = ${sessionId}::uuid FOR UPDATE NOWAIT`;
    };
    await expect(aPublisher().publish(sessionId)).resolves.toBeUndefined();
  });

  it('refuses limits under which a send could outlast its lease', () => {
    expect(() => aPublisher({ leaseMs: 100, sendMs: 100 })).toThrow('may outlast the lease');
  });

  it('names the session where events are left of one that has no row', async () => {
    const sessionId = await recordSession(database.db);
    await recordProgress(database.db, sessionId, 0);
    await database.db.session.delete({ where: { id: sessionId } });
    await expect(aPublisher().publish(sessionId)).rejects.toThrow(`session ${sessionId} cannot be published`);
  });
});

describe('a bus that fails', () => {
  it('makes publishing fail, which records nothing, leaves the lease and loses no event', async () => {
    const sessionId = await recordSession(database.db);
    const recorded = await recordManyEvents(database.db, sessionId, 3);
    bus.before = () => Promise.reject(new Error('no route to the bus'));
    await expect(aPublisher().publish(sessionId)).rejects.toThrow('no route to the bus');
    expect(await unpublished(sessionId)).toBe(3);
    expect(await leaseOf(sessionId)).toBeNull();

    bus.before = () => Promise.resolve();
    await aPublisher().publish(sessionId);
    expect(messageIdsOf(bus.messages)).toEqual(recorded);
  });

  it('shows the events on the stream all the same, and they keep their places', async () => {
    const sessionId = await recordSession(database.db);
    await recordManyEvents(database.db, sessionId, 3);
    const positions = async () => {
      const rows = await database.db.event.findMany({ where: { sessionId }, orderBy: { seq: 'asc' } });
      return rows.map(({ position }) => position);
    };
    bus.before = () => Promise.reject(new Error('no route to the bus'));
    await expect(aPublisher().publish(sessionId)).rejects.toThrow();
    const settled = await positions();
    expect(settled).not.toContain(null);

    bus.before = () => Promise.resolve();
    await aPublisher().publish(sessionId);
    expect(await positions()).toEqual(settled);
  });

  it('sends again under the same message_id what had arrived before the sender knew', async () => {
    const sessionId = await recordSession(database.db);
    const recorded = await recordManyEvents(database.db, sessionId, 2);
    bus.after = () => Promise.reject(new Error('killed'));
    await expect(aPublisher().publish(sessionId)).rejects.toThrow('killed');
    bus.after = () => Promise.resolve();
    const later = await recordProgress(database.db, sessionId, 100);
    await aPublisher().publish(sessionId);
    expect(messageIdsOf(bus.messages)).toEqual([...recorded, ...recorded, later]);
  });

  it('is not waited for beyond the limit of a send', async () => {
    const sessionId = await recordSession(database.db);
    await recordProgress(database.db, sessionId, 0);
    const never = aGate();
    bus.before = () => never.passed;
    await expect(aPublisher({ sendMs: 50 }).publish(sessionId)).rejects.toThrow('took longer than 50 ms');
    expect(await leaseOf(sessionId)).toBeNull();
  });
});

describe('several publishers', () => {
  it('do not wait for whoever decides about the session meanwhile', async () => {
    const sessionId = await recordSession(database.db);
    await recordManyEvents(database.db, sessionId, 2);
    await inTransaction(database.db, async (tx) => {
      await lockSession(tx, sessionId);
      await aPublisher().publish(sessionId);
    });
    expect(bus.messages).toHaveLength(2);
  });

  it('publish each event once and in order, and each returns only when all it saw is published', async () => {
    const sessionId = await recordSession(database.db);
    const recorded: string[] = [];
    const recordAndPublish = async (publisher: Publisher): Promise<boolean> => {
      const messageId = await recordProgress(database.db, sessionId, 0);
      await publisher.publish(sessionId);
      return messageIdsOf(bus.messages).includes(messageId);
    };
    const publishers = Array.from({ length: 4 }, () => aPublisher({ maxEvents: 3 }));
    for (let round = 0; round < 10; round += 1) {
      const outcomes = await Promise.all(publishers.map(recordAndPublish));
      expect(outcomes).toEqual([true, true, true, true]);
    }
    const rows = await database.db.event.findMany({ where: { sessionId }, orderBy: { seq: 'asc' } });
    recorded.push(...rows.map(({ messageId }) => messageId));
    expect(messageIdsOf(bus.messages)).toEqual(recorded);
  });

  it('wait for the one that is sending', async () => {
    const sessionId = await recordSession(database.db);
    await recordProgress(database.db, sessionId, 0);
    const sending = aGate();
    const mayArrive = aGate();
    bus.before = () => {
      sending.open();
      return mayArrive.passed;
    };
    const first = aPublisher().publish(sessionId);
    await sending.passed;
    const second = aPublisher().publish(sessionId);
    await expect(Promise.race([second, delay(100, 'still waiting')])).resolves.toBe('still waiting');
    mayArrive.open();
    await Promise.all([first, second]);
    expect(bus.messages).toHaveLength(1);
  });

  it('take over from one that died, once its lease has run out', async () => {
    const sessionId = await recordSession(database.db);
    const recorded = await recordManyEvents(database.db, sessionId, 2);
    await database.db.$executeRaw`
      INSERT INTO event_lease (session_id, holder, held_until)
      VALUES (${sessionId}::uuid, ${randomUUID()}::uuid, clock_timestamp() + interval '1 hour')`;
    const publishing = aPublisher().publish(sessionId);
    await expect(Promise.race([publishing, delay(50, 'still waiting')])).resolves.toBe('still waiting');
    await database.db.$executeRaw`
      UPDATE event_lease SET held_until = clock_timestamp() WHERE session_id = ${sessionId}::uuid`;
    await publishing;
    expect(messageIdsOf(bus.messages)).toEqual(recorded);
  });

  it('keep the order, but for repeats, when one stalls past its lease and then sends', async () => {
    const sessionId = await recordSession(database.db);
    const recorded = await recordManyEvents(database.db, sessionId, 4);
    const stalled = aGate();
    const wakes = aGate();
    bus.before = () => {
      bus.before = () => Promise.resolve();
      stalled.open();
      return wakes.passed;
    };
    const late = aPublisher({ maxEvents: 2 }).publish(sessionId);
    await stalled.passed;
    await database.db.eventLease.update({ where: { sessionId }, data: { heldUntil: new Date(0) } });
    await aPublisher({ maxEvents: 3 }).publish(sessionId);
    const newest = await recordProgress(database.db, sessionId, 100);
    wakes.open();
    await late;
    await aPublisher().publish(sessionId);
    expect(messageIdsOf(bus.messages)).toEqual([...recorded, ...recorded.slice(0, 2), newest]);
    expect(withoutRepeats(messageIdsOf(bus.messages))).toEqual([...recorded, newest]);
  });
});

describe('left-over events', () => {
  it('are published for every session that has some, and counted', async () => {
    const sessionIds = await Promise.all(Array.from({ length: 6 }, () => recordSession(database.db)));
    for (const sessionId of sessionIds) await recordManyEvents(database.db, sessionId, 2);
    const publisher = aPublisher();
    expect(await publisher.publishLeftOvers()).toBe(12);
    expect(await publisher.publishLeftOvers()).toBe(0);
    expect(bus.messages).toHaveLength(12);
  });

  it('of one session that cannot be published do not hold up the others', async () => {
    const orphan = await recordSession(database.db);
    await recordProgress(database.db, orphan, 0);
    await database.db.session.delete({ where: { id: orphan } });
    const sound = await recordSession(database.db);
    await recordProgress(database.db, sound, 0);
    await expect(aPublisher().publishLeftOvers()).rejects.toThrow('1 of 2 sessions');
    expect(await unpublished(sound)).toBe(0);
  });
});
