/** Migrations whose process is killed with -9 in the middle of a script, and those that fail. */
import { once } from 'node:events';
import { Client } from 'pg';
import { eventually } from '../../waiting/eventually';
import { migrated, saidBy, startMigrating } from '../setup/migrating-process';
import { createEmptyDatabase, type TestDatabase } from '../setup/test-database';

let database: TestDatabase;
/** Creates a table that a script is to create, and does not commit it: the script waits for it. */
let holder: Client;
beforeEach(async () => {
  database = await createEmptyDatabase();
  holder = new Client({ connectionString: database.url });
  await holder.connect();
  await holder.query('BEGIN');
  await holder.query('CREATE TABLE webhook (held int)');
});
afterEach(async () => {
  await holder.end();
  await database.drop();
});

/** @returns the process in the server that runs the script */
const waitingScript = (): Promise<number> =>
  eventually('a script waits for the table', async () => {
    const rows = await database.db.$queryRaw<{ pid: number }[]>`
      SELECT pid FROM pg_stat_activity WHERE datname = current_database() AND cardinality(pg_blocking_pids(pid)) > 0`;
    return rows[0]?.pid;
  });

const killInTheScript = async (): Promise<number> => {
  const child = startMigrating(database.url);
  const script = await waitingScript();
  child.kill('SIGKILL');
  await once(child, 'exit');
  return script;
};

const records = (): Promise<{ count: number }[]> => database.db.$queryRaw`
  SELECT count(*)::int FROM _prisma_migrations WHERE finished_at IS NULL`;

it.each([
  {
    situation: 'that the server gave up',
    endScript: async (pid: number) => {
      await database.db.$queryRaw`SELECT pg_terminate_backend(${pid}::int)`;
      await holder.query('ROLLBACK');
    },
  },
  { situation: 'that goes on without its process', endScript: () => holder.query('ROLLBACK') },
])('the next start goes on after a kill in a script $situation', async ({ endScript }) => {
  const script = await killInTheScript();
  await endScript(script);
  await expect(migrated(database.url)).resolves.toMatch(/^applied [1-9]/);
  await expect(records()).resolves.toEqual([{ count: 0 }]);
  await expect(database.db.webhook.count()).resolves.toBe(0);
  await expect(migrated(database.url)).resolves.toBe('applied 0');
});

it('each start tries a migration again that failed, and says why it failed', async () => {
  const first = startMigrating(database.url);
  await waitingScript();
  await holder.query('COMMIT');
  const said = await saidBy(first);
  expect(said.at(-1)).toMatch(/^the migration \d+_\w+ failed: duplicate key/);
  await expect(migrated(database.url)).resolves.toContain('schema is not empty');
  await holder.query('DROP TABLE webhook');
  await expect(migrated(database.url)).resolves.toMatch(/^applied [1-9]/);
  await expect(database.db.webhook.count()).resolves.toBe(0);
});

it('a migration that meets another process in a deadlock says so, and is tried again', async () => {
  // Long enough for the other process to ask for the migration's lock, and shorter than the migration waits.
  await database.db.$executeRawUnsafe(`ALTER DATABASE ${new URL(database.url).pathname.slice(1)}
    SET deadlock_timeout = '3s'`);
  await holder.query(`SET deadlock_timeout = '10min'`);
  const migrating = startMigrating(database.url);
  await waitingScript();
  await holder.query('SELECT pg_advisory_xact_lock(7004)');
  await holder.query('ROLLBACK');
  const [waits, applied] = await saidBy(migrating);
  expect(waits).toMatch(/waits for other processes, and is tried again: .*(deadlock detected|lock timeout)/);
  expect(applied).toMatch(/^applied [1-9]/);
});

it('refuses a database that began with another migration, and changes nothing in it', async () => {
  await holder.query('ROLLBACK');
  await migrated(database.url);
  await database.db.$executeRaw`UPDATE _prisma_migrations SET migration_name = '20261121000000_init'`;
  await expect(migrated(database.url)).resolves.toContain('20261121000000_init, which this version does not know');
  const others = await database.db
    .$queryRaw`SELECT 1 FROM _prisma_migrations WHERE migration_name <> '20261121000000_init'`;
  expect(others).toEqual([]);
});
