/**
 * Prisma's own migration engine in its WebAssembly form: it applies the migrations of this folder within this process,
 * so that no engine has to be downloaded. The table `_prisma_migrations` is the one that Prisma's command line uses.
 */
import { existsSync } from 'node:fs';
import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { PrismaPg } from '@prisma/adapter-pg';
import { bindMigrationAwareSqlAdapterFactory } from '@prisma/driver-adapter-utils';
import type * as schemaEngine from '@prisma/schema-engine-wasm/schema_engine_bg';
import { type Client, Pool } from 'pg';
import { assertSameBaseline } from './baseline';

/** Migrations lie beside this file in the sources, and two folders up, in the package, for dist/prisma. */
const migrationsFolder = (): string => {
  const candidates = ['migrations', '../../prisma/migrations'].map((folder) => path.join(__dirname, folder));
  const folder = candidates.find((each) => existsSync(each));
  if (folder === undefined) throw new Error(`the migrations are missing: none of ${candidates.join(', ')} exists`);
  return folder;
};

interface Migration {
  readonly name: string;
  readonly script: string;
}

const readMigrations = async (folder: string): Promise<readonly Migration[]> => {
  const entries = await readdir(folder, { withFileTypes: true });
  const names = entries.flatMap((entry) => (entry.isDirectory() ? entry.name : [])).sort();
  const read = async (name: string): Promise<Migration> => ({
    name,
    script: await readFile(path.join(folder, name, 'migration.sql'), 'utf8'),
  });
  return Promise.all(names.map(read));
};

const listOf = async (folder: string, migrations: readonly Migration[]): Promise<schemaEngine.MigrationList> => ({
  baseDir: folder,
  lockfile: {
    path: 'migration_lock.toml',
    content: await readFile(path.join(folder, 'migration_lock.toml'), 'utf8'),
  },
  shadowDbInitScript: '',
  migrationDirectories: migrations.map(({ name, script: value }) => ({
    path: name,
    migrationFile: { path: 'migration.sql', content: { tag: 'ok', value } },
  })),
});

/** The part of the WebAssembly interface that this file uses. TypeScript only knows it from the browser's library. */
declare const WebAssembly: {
  instantiate(
    code: Uint8Array,
    imports: Readonly<Record<string, unknown>>,
  ): Promise<{ readonly instance: { readonly exports: { __wbindgen_start(): void } } }>;
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

/** A pool whose statements all go to this connection, and so into its transaction. */
const poolOf = (client: Client): Pool => Object.assign(new Pool(), { query: client.query.bind(client) });

/** The engine's own lock is one of the session. The caller's lock does what it is for. */
const ownLock = /^SELECT pg_advisory_lock\(\d+\)$/;

/** Is called with a script that has failed, and PostgreSQL's own error. */
type TellFailure = (script: string, error: unknown) => void;

/**
 * The adapter splits a script at every semicolon, also in comments and function bodies. PostgreSQL takes the whole
 * script.
 */
class WholeScripts extends PrismaPg {
  constructor(
    private readonly connection: Client,
    private readonly tellFailure: TellFailure,
  ) {
    super(poolOf(connection));
  }

  override async connect(): ReturnType<PrismaPg['connect']> {
    const adapter = await super.connect();
    const execute = adapter.executeRaw.bind(adapter);
    adapter.executeRaw = (asked) => (ownLock.test(asked.sql) ? Promise.resolve(0) : execute(asked));
    adapter.executeScript = async (script) => {
      try {
        await this.connection.query(script);
      } catch (error) {
        this.tellFailure(script, error);
        throw error;
      }
    };
    return adapter;
  }
}

/** A migration of this folder failed. The cause is the error of its script. */
export class MigrationFailed extends Error {
  override readonly name = 'MigrationFailed';
}

/**
 * Applies the missing migrations within the transaction of this connection.
 * @returns their names
 * @throws MigrationFailed when a script fails; StartFault when the database began with another migration
 */
export const applyMigrations = async (client: Client): Promise<readonly string[]> => {
  const folder = migrationsFolder();
  const migrations = await readMigrations(folder);
  await assertSameBaseline(client, migrations[0]?.name);
  const { SchemaEngine } = await loadEngine();
  const failures: MigrationFailed[] = [];
  const adapters = bindMigrationAwareSqlAdapterFactory(
    new WholeScripts(client, (failed, cause) => {
      const name = migrations.find(({ script }) => script === failed)?.name ?? '';
      failures.push(
        new MigrationFailed(`the migration ${name} failed: ${cause instanceof Error ? cause.message : String(cause)}`, {
          cause,
        }),
      );
    }),
  );
  const engine = await SchemaEngine.new({ datamodels: undefined }, () => undefined, adapters);
  const filters = { externalTables: [], externalEnums: [] };
  const migrationsList = await listOf(folder, migrations);
  const applied = await engine.applyMigrations({ migrationsList, filters }).catch((error: unknown) => {
    throw failures[0] ?? error; // the engine cannot record a failure in a transaction that has failed
  });
  return applied.appliedMigrationNames;
};
