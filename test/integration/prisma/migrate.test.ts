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

const records = (): Promise<{ state: string; count: number }[]> => database.db.$queryRaw`
  SELECT CASE WHEN finished_at IS NOT NULL THEN 'finished'
              WHEN rolled_back_at IS NOT NULL THEN 'rolled back' ELSE 'unfinished' END AS state, count(*)::int
  FROM _prisma_migrations GROUP BY 1 ORDER BY 1`;

it.each([
  {
    situation: 'that the server gave up',
    endScript: async (pid: number) => {
      await database.db.$queryRaw`SELECT pg_terminate_backend(${pid}::int)`;
      await holder.query('ROLLBACK');
    },
    rolledBack: [{ state: 'rolled back', count: 1 }],
  },
  { situation: 'that goes on without its process', endScript: () => holder.query('ROLLBACK'), rolledBack: [] },
])('the next start goes on after a kill in a script $situation', async ({ endScript, rolledBack }) => {
  const script = await killInTheScript();
  await endScript(script);
  await expect(migrated(database.url)).resolves.toMatch(/^applied [1-9]/);
  const [finished, ...others] = await records();
  expect(finished).toMatchObject({ state: 'finished' });
  expect(others).toEqual(rolledBack);
  await expect(database.db.webhook.count()).resolves.toBe(0);
  await expect(migrated(database.url)).resolves.toBe('applied 0\n');
});

it('each start tries a migration again that failed, and says why it failed', async () => {
  const first = startMigrating(database.url);
  await waitingScript();
  await holder.query('COMMIT');
  await expect(saidBy(first)).resolves.toContain('20261125040000_webhooks');
  await expect(migrated(database.url)).resolves.toContain('"webhook" already exists');
  await holder.query('DROP TABLE webhook');
  await expect(migrated(database.url)).resolves.toMatch(/^applied [1-9]/);
  await expect(database.db.webhook.count()).resolves.toBe(0);
});
