/**
 * The service behind PgBouncer in transaction mode, where each transaction gets any connection of the server. The zone
 * of the database is none of the service's, so that a time written or read in another zone would be hours off.
 */
import { type Database, databaseNow, inTransaction, openDatabase, takeLock } from '../../../prisma/database';
import { isDatabaseAway } from '../../../prisma/database-trouble';
import { aLooseFleet, looseProject } from '../../builders/a-loose-fleet';
import { eventually } from '../../waiting/eventually';
import { anAdmin } from '../rig/admin';
import { acknowledge, startManager } from '../rig/manager';
import { startRig } from '../rig/rig';
import { migrated } from '../setup/migrating-process';
import { type Pooler, startPgBouncer } from '../setup/pgbouncer';
import { createEmptyDatabase, type TestDatabase } from '../setup/test-database';

let pooler: Pooler;
let database: TestDatabase;
beforeAll(async () => {
  pooler = await startPgBouncer();
  database = await createEmptyDatabase();
  const name = new URL(database.url).pathname.slice(1);
  await database.db.$executeRawUnsafe(`ALTER DATABASE ${name} SET timezone TO 'Asia/Kathmandu'`);
});
afterAll(async () => {
  await pooler.stop();
  await database.drop();
});

/** A session's lock would stay on a connection of the pooler. */
const untilNoLockIsLeft = () =>
  eventually('no advisory lock is left', async () => {
    const locks = await database.db.$queryRaw<unknown[]>`
      SELECT pid FROM pg_locks JOIN pg_database ON pg_database.oid = database
      WHERE locktype = 'advisory' AND datname = current_database()`;
    return locks.length === 0 || undefined;
  });

it('processes that start at once migrate the database once, and leave no lock behind', async () => {
  const url = pooler.urlOf(database.url);
  const said = await Promise.all([migrated(url), migrated(url), migrated(url), migrated(url), migrated(url)]);
  expect(said.filter((line) => /^applied [1-9]/.test(line))).toHaveLength(1);
  expect(said.filter((line) => line === 'applied 0')).toHaveLength(4);
  await untilNoLockIsLeft();
  await expect(migrated(url)).resolves.toBe('applied 0');
});

describe('a service', () => {
  let db: Database;
  beforeAll(() => {
    db = openDatabase({ url: pooler.urlOf(database.url), poolSize: 20 });
  });
  afterAll(() => db.$disconnect());

  it('carries out a session, and its times are right', async () => {
    const fleet = aLooseFleet({ hosts: ['one', 'two'], instancesOnEach: 2 });
    const rig = await startRig({ fleet, serviceDatabase: { url: pooler.urlOf(database.url), db } });
    const admin = anAdmin(rig.url);
    const manager = startManager({ url: rig.url, projectId: looseProject, policy: acknowledge });
    try {
      const earliest = await databaseNow(db);
      const sessionId = await admin.create({ workflow: 'vnf', actions: [{ plugin: 'dummy', type: 'host' }] });
      expect((await admin.until(sessionId, 'MAINTENANCE_DONE')).percent_done).toBe(100);
      const { createdAt } = await database.db.session.findUniqueOrThrow({ where: { id: sessionId } });
      expect(createdAt.getTime()).toBeGreaterThanOrEqual(earliest.getTime());
      expect(createdAt.getTime()).toBeLessThanOrEqual((await databaseNow(database.db)).getTime());
      await untilNoLockIsLeft();
    } finally {
      manager.stop();
      await rig.stop();
    }
  });

  it('waits for a lock only for a while', async () => {
    const limits = { connectionMs: 5_000, transactionMs: 500 };
    const hurried = openDatabase({ url: pooler.urlOf(database.url), limits });
    const error = await inTransaction(database.db, async (tx) => {
      await takeLock(tx, 'decision');
      return inTransaction(hurried, (waiting) => takeLock(waiting, 'decision')).catch((reason: unknown) => reason);
    });
    await hurried.$disconnect();
    expect(isDatabaseAway(error)).toBe(true);
  });
});
