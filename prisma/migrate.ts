/**
 * Brings a database to the newest schema, in one transaction on one connection: a process that dies in the middle
 * leaves nothing behind, and a pooler may stand between. Any number of processes may do so at once, also beside
 * processes of the version before (docs/design/facts.md).
 */
import { setTimeout as pause } from 'node:timers/promises';
import { Client, escapeIdentifier } from 'pg';
import { StartFault } from '../startup/start-fault';
import { databaseFault } from './database-fault';
import { applyMigrations, MigrationFailed } from './migration-engine';
import { startInUtc } from './pooled-client';

/** A server that does not answer at all is told like one that refuses. */
const connectMs = 10_000;

const withClient = async <T>(connectionString: string, work: (client: Client) => Promise<T>): Promise<T> => {
  const client = new Client({ connectionString, connectionTimeoutMillis: connectMs, keepAlive: true });
  client.on('error', () => undefined); // the statement under way fails with it
  startInUtc(client);
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
};

const isErrorWithCode = (error: unknown, ...codes: readonly string[]): boolean =>
  error instanceof Error && 'code' in error && codes.some((code) => code === error.code);

const databaseMissing = '3D000';
/** The second code means that another process created the same database at the same moment. */
const databaseExists = ['42P04', '23505'] as const;

/** @throws StartFault where the zone of a connection is not the one that it asks for */
const assertUtc = async (client: Client): Promise<void> => {
  const { rows } = await client.query<{ zone: string }>(`SELECT current_setting('TimeZone') AS zone`);
  const zone = rows[0]?.zone ?? '';
  if (zone !== 'UTC') throw new StartFault(zoneFault(zone));
};

const zoneFault = (zone: string): string =>
  `PostgreSQL has the time zone ${zone} for connections that ask for UTC: the pooler of DATABASE_URL drops their ` +
  `parameter TimeZone; run "ALTER ROLE … SET timezone = 'UTC'" for the role of DATABASE_URL`;

const databaseIsThere = (databaseUrl: string): Promise<boolean> =>
  withClient(databaseUrl, assertUtc).then(
    () => true,
    (error: unknown) => {
      if (isErrorWithCode(error, databaseMissing)) return false;
      throw error;
    },
  );

const createDatabase = async (databaseUrl: string): Promise<void> => {
  const server = new URL(databaseUrl);
  const name = decodeURIComponent(server.pathname.slice(1));
  server.pathname = '/postgres';
  await withClient(server.href, (client) => client.query(`CREATE DATABASE ${escapeIdentifier(name)}`)).catch(
    (error: unknown) => {
      if (!isErrorWithCode(error, ...databaseExists)) throw error;
    },
  );
};

const provideDatabase = async (databaseUrl: string): Promise<void> => {
  if (!(await databaseIsThere(databaseUrl))) await createDatabase(databaseUrl);
};

/** `advisoryLocks.migration` of database.ts. */
const migrationLock = 7_004;

/**
 * Waits for a lock only for a while: whoever wants the table next waits behind this transaction, also readers. Another
 * process may take its time to migrate meanwhile, so the role's own limits of a transaction do not count.
 */
const begin = (lockMs: number): string =>
  [
    'BEGIN',
    `SET LOCAL lock_timeout = ${String(lockMs)}`,
    'SET LOCAL idle_in_transaction_session_timeout = 0',
    'SET LOCAL statement_timeout = 0',
  ].join('; ');

const migrateOnce = (databaseUrl: string, lockMs: number): Promise<readonly string[]> =>
  withClient(databaseUrl, async (client) => {
    await client.query(begin(lockMs));
    await client.query(`SELECT pg_advisory_xact_lock(${String(migrationLock)})`);
    const applied = await applyMigrations(client);
    await client.query('COMMIT');
    return applied;
  });

/** No lock in time, a deadlock, and a conflict with another transaction. Nothing was done. */
const isOvertaken = (error: unknown): boolean => {
  const cause = error instanceof MigrationFailed ? error.cause : error;
  return isErrorWithCode(cause, '55P03', '40P01', '40001');
};

export interface MigrationChoices {
  /** Is told why the migration waits. Left out: nobody is. */
  readonly tell?: (line: string) => void;
  /** The time that each lock is waited for. */
  readonly lockMs?: number;
  /** The time after which a migration gives up that gets no lock. */
  readonly patienceMs?: number;
}

const pauseMs = 500;

const untilMigrated = async (
  databaseUrl: string,
  { tell = () => undefined, lockMs = 5_000, patienceMs = 600_000 }: MigrationChoices,
): Promise<readonly string[]> => {
  const deadlineMs = performance.now() + patienceMs;
  for (;;) {
    try {
      return await migrateOnce(databaseUrl, lockMs);
    } catch (error) {
      if (!isOvertaken(error)) throw error;
      const why = error instanceof Error ? error.message : String(error);
      if (performance.now() > deadlineMs) throw new StartFault(noLock(why), { cause: error });
      tell(`the migration of the database waits for other processes, and is tried again: ${why}`);
      await pause(pauseMs);
    }
  }
};

const noLock = (why: string): string =>
  `the database could not be migrated, because other processes hold its locks: end long transactions, ` +
  `which pg_stat_activity lists, and start again (${why})`;

/**
 * Creates the database when it does not exist and applies the missing migrations.
 * @returns names of the migrations that this call applied
 * @throws StartFault when the server cannot be reached, refuses this user or gives no lock; an Error when a migration
 * fails
 */
export const migrate = async (databaseUrl: string, choices: MigrationChoices = {}): Promise<readonly string[]> => {
  try {
    await provideDatabase(databaseUrl);
    return await untilMigrated(databaseUrl, choices);
  } catch (error) {
    throw databaseFault(error, databaseUrl);
  }
};
