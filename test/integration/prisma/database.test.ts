/**
 * The limits and settings of connections to the database, when a process stands still and when a server is far away;
 * and the log lines of a transaction.
 */
import { randomUUID } from 'node:crypto';
import { afterCommit, databaseNow, inTransaction, openDatabase, type Transaction } from '../../../prisma/database';
import { findSessionDetail } from '../../../prisma/session/session-detail';
import { createSession } from '../../../prisma/session/sessions';
import { createTestDatabase } from '../setup/test-database';

let database: Awaited<ReturnType<typeof createTestDatabase>>;
beforeEach(async () => {
  database = await createTestDatabase();
});
afterEach(() => database.drop());

it.each(['lock_timeout', 'idle_in_transaction_session_timeout'])('transactions bound %s', async (limit) => {
  const db = openDatabase({ url: database.url });
  const rows = await inTransaction(
    db,
    (tx) => tx.$queryRaw<{ value: string }[]>`SELECT current_setting(${limit}) AS value`,
  );
  await db.$disconnect();
  expect(rows).toEqual([{ value: '30s' }]);
});

it('a reader of many tables waits for its connection as a writer does, while others have all of them', async () => {
  const db = openDatabase({ url: database.url, poolSize: 1 });
  const writing = inTransaction(db, (tx) => tx.$executeRaw`SELECT pg_sleep(2.5)`); // Prisma's own limit is 2 s
  const [, detail] = await Promise.all([writing, findSessionDetail(db, randomUUID())]);
  await db.$disconnect();
  expect(detail).toBeUndefined();
});

it.each([
  { zone: 'Asia/Kathmandu', options: '' },
  { zone: 'America/St_Johns', options: '?options=-c%20work_mem%3D8MB%20-c%20TimeZone%3DAsia/Tokyo' },
])('times are right where the zone of the database is $zone $options', async ({ zone, options }) => {
  const name = new URL(database.url).pathname.slice(1);
  await database.db.$executeRawUnsafe(`ALTER DATABASE ${name} SET timezone TO '${zone}'`);
  const db = openDatabase({ url: `${database.url}${options}` });
  try {
    const sessionId = randomUUID();
    const maintenanceAt = new Date('2026-04-15T11:43:28.123Z');
    const names = { workflow: 'default', state: 'MAINTENANCE', metadata: {}, actions: [], hosts: [], download: [] };
    const earliest = await databaseNow(database.db);
    await createSession(db, { session: { sessionId, maintenanceAt, ...names }, maxSessions: 1 });
    const latest = await databaseNow(database.db);
    const detail = await findSessionDetail(db, sessionId);
    expect(detail?.session.maintenanceAt).toEqual(maintenanceAt);
    const createdMs = detail?.session.createdAt.getTime();
    expect(createdMs).toBeGreaterThanOrEqual(earliest.getTime());
    expect(createdMs).toBeLessThanOrEqual(latest.getTime());
    const [kept] = await database.db.$queryRaw<{ at: string }[]>`
      SELECT to_char(maintenance_at AT TIME ZONE 'UTC', 'YYYY-MM-DD HH24:MI:SS') AS at FROM session`;
    expect(kept).toEqual({ at: '2026-04-15 11:43:28' });
  } finally {
    await db.$disconnect();
  }
});

describe('a statement that is used again and again', () => {
  const readThrice = async (tx: Transaction): Promise<void> => {
    for (let use = 1; use <= 3; use++) await tx.groupConstraint.findMany({ where: { groupKey: 'web' } });
  };

  it('is planned by the server once for each connection', async () => {
    const kept = await inTransaction(database.db, async (tx) => {
      await readThrice(tx);
      return tx.$queryRaw<{ text: string }[]>`SELECT statement AS text FROM pg_prepared_statements`;
    });
    expect(kept.map(({ text }) => text)).toContainEqual(expect.stringContaining('"group_constraint"'));
  });

  it('goes on in a process of the version before, when a migration adds a column', async () => {
    const db = openDatabase({ url: database.url, poolSize: 1 });
    try {
      await inTransaction(db, readThrice);
      await database.db.$executeRaw`ALTER TABLE group_constraint ADD COLUMN added_later text NOT NULL DEFAULT ''`;
      await expect(inTransaction(db, readThrice)).resolves.toBeUndefined();
    } finally {
      await db.$disconnect();
    }
  });
});

describe('what is told after a commit', () => {
  it('is told once the facts are facts', async () => {
    const told: string[] = [];
    await inTransaction(database.db, async (tx) => {
      afterCommit(tx, () => told.push('stored'));
      await tx.$queryRaw`SELECT 1`;
      expect(told).toEqual([]);
    });
    expect(told).toEqual(['stored']);
  });

  it('is not told of a transaction that comes to nothing', async () => {
    const told: string[] = [];
    const failing = inTransaction(database.db, async (tx) => {
      afterCommit(tx, () => told.push('stored'));
      await tx.$queryRaw`SELECT 1 / 0`;
    });
    await expect(failing).rejects.toThrow('division by zero');
    expect(told).toEqual([]);
  });
});
