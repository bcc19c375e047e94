/**
 * Brings a database to the newest schema. Prisma's own migration engine applies the migrations of this folder in its
 * WebAssembly form, within this process, so that no engine has to be downloaded. The table `_prisma_migrations` is the
 * one that Prisma's command line uses. Any number of processes may do so at once.
 */
import { existsSync } from 'node:fs';
import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { PrismaPg } from '@prisma/adapter-pg';
import { bindMigrationAwareSqlAdapterFactory } from '@prisma/driver-adapter-utils';
import type * as schemaEngine from '@prisma/schema-engine-wasm/schema_engine_bg';
import { Client, escapeIdentifier, Pool } from 'pg';
import { databaseFault } from './database-fault';

/** Migrations lie beside this file in the sources, and two folders up, in the package, for dist/prisma. */
const migrationsFolder = (): string => {
  const candidates = ['migrations', '../../prisma/migrations'].map((folder) => path.join(__dirname, folder));
  const folder = candidates.find((each) => existsSync(each));
  if (folder === undefined) throw new Error(`the migrations are missing: none of ${candidates.join(', ')} exists`);
  return folder;
};

const readMigration = async (folder: string, name: string): Promise<schemaEngine.MigrationDirectory> => {
  const value = await readFile(path.join(folder, name, 'migration.sql'), 'utf8');
  return { path: name, migrationFile: { path: 'migration.sql', content: { tag: 'ok', value } } };
};

const readMigrations = async (folder: string): Promise<schemaEngine.MigrationList> => {
  const entries = await readdir(folder, { withFileTypes: true });
  const names = entries.flatMap((entry) => (entry.isDirectory() ? entry.name : [])).sort();
  return {
    baseDir: folder,
    lockfile: {
      path: 'migration_lock.toml',
      content: await readFile(path.join(folder, 'migration_lock.toml'), 'utf8'),
    },
    shadowDbInitScript: '',
    migrationDirectories: await Promise.all(names.map((name) => readMigration(folder, name))),
  };
};

/** The part of the WebAssembly interface that this file uses. TypeScript only knows it from the browser's library. */
declare const WebAssembly: {
  instantiate(
    code: Uint8Array,
    imports: Readonly<Record<string, unknown>>,
  ): Promise<{ readonly instance: { readonly exports: { __wbindgen_start(): void } } }>;
};

const unfinished = 'finished_at IS NULL AND rolled_back_at IS NULL';

/**
 * Goes before a script, into its transaction. So the record of a migration tells whether its script was committed, and
 * the row stays locked meanwhile: `settleInterrupted` waits for a script that outlived its process. A script that the
 * server begins only after its record was settled fails.
 */
const tellCommitted = `
  DO $$ BEGIN
    UPDATE _prisma_migrations SET applied_steps_count = 1 WHERE ${unfinished};
    IF NOT FOUND THEN RAISE EXCEPTION 'another process has settled this migration'; END IF;
  END $$;`;

/**
 * The adapter splits a script at every semicolon, also in comments and function bodies. PostgreSQL takes the whole
 * script, and as one transaction.
 */
class WholeScripts extends PrismaPg {
  override async connect(): ReturnType<PrismaPg['connect']> {
    const adapter = await super.connect();
    adapter.executeScript = async (script) => {
      await adapter.executeRaw({ sql: `${tellCommitted}\n${script}`, args: [], argTypes: [] });
    };
    return adapter;
  }
}

/**
 * Completes the record of a migration that failed, or whose process died: the engine would refuse to go on. A script
 * that was committed is finished, and one that was not is to be tried again. The caller holds the lock.
 */
const settleInterrupted = async (client: Client): Promise<void> => {
  const { rows } = await client.query<{ isThere: boolean }>(
    `SELECT to_regclass('_prisma_migrations') IS NOT NULL AS "isThere"`,
  );
  if (rows[0]?.isThere !== true) return;
  await client.query(`
    UPDATE _prisma_migrations SET rolled_back_at = clock_timestamp() WHERE ${unfinished} AND applied_steps_count = 0`);
  await client.query(`UPDATE _prisma_migrations SET finished_at = clock_timestamp() WHERE ${unfinished}`);
};

type EngineModule = typeof schemaEngine;

/** Node.js cannot import the WebAssembly file in the way of the package's main module, so this code sets it up. */
const setUpEngine = async (): Promise<EngineModule> => {
  const engine = await import('@prisma/schema-engine-wasm/schema_engine_bg');
  const file = require.resolve('@prisma/schema-engine-wasm/schema_engine_bg').replace(/\.js$/, '.wasm');
  const { instance } = await WebAssembly.instantiate(await readFile(file), { './schema_engine_bg.js': engine });
  engine.__wbg_set_wasm(instance.exports);
  instance.exports.__wbindgen_start();
  return engine;
};

/** Once in a process: the module has one memory, which a second set-up would take from the running engines. */
let engineModule: Promise<EngineModule> | undefined;

const loadEngine = (): Promise<EngineModule> => {
  engineModule ??= setUpEngine();
  return engineModule;
};

/** A server that does not answer at all is told like one that refuses. */
const connectMs = 10_000;

const withClient = async <T>(connectionString: string, work: (client: Client) => Promise<T>): Promise<T> => {
  const client = new Client({ connectionString, connectionTimeoutMillis: connectMs });
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

const databaseIsThere = (databaseUrl: string): Promise<boolean> =>
  withClient(databaseUrl, () => Promise.resolve(true)).catch((error: unknown) => {
    if (isErrorWithCode(error, databaseMissing)) return false;
    throw error;
  });

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

/** `advisoryLocks.migration` of database.ts, held by a connection: the engine's own lock gives up after 10 seconds. */
const migrationLock = 7_004;

/** The engine keeps its lock, and its connection, for as long as its pool lives. */
const applyMigrations = async (databaseUrl: string): Promise<readonly string[]> => {
  const migrationsList = await readMigrations(migrationsFolder());
  const { SchemaEngine } = await loadEngine();
  const pool = new Pool({ connectionString: databaseUrl });
  try {
    const adapters = bindMigrationAwareSqlAdapterFactory(new WholeScripts(pool));
    const engine = await SchemaEngine.new({ datamodels: undefined }, () => undefined, adapters);
    const filters = { externalTables: [], externalEnums: [] };
    return (await engine.applyMigrations({ migrationsList, filters })).appliedMigrationNames;
  } finally {
    await pool.end();
  }
};

/**
 * Creates the database when it does not exist and applies the missing migrations.
 * @returns names of the migrations that this call applied
 * @throws StartFault when the server cannot be reached, or refuses this user; an Error when a migration fails
 */
export const migrate = async (databaseUrl: string): Promise<readonly string[]> => {
  await provideDatabase(databaseUrl).catch((error: unknown) => {
    throw databaseFault(error, databaseUrl);
  });
  return withClient(databaseUrl, async (client) => {
    await client.query(`SELECT pg_advisory_lock(${String(migrationLock)})`);
    await settleInterrupted(client);
    return applyMigrations(databaseUrl);
  });
};
