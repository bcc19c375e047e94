/**
 * Files of test/upgrades: a version of the service left them behind with sessions under way. They are all rows of its
 * database, and the file of its Temporal server. Rows are loaded into the schema that the version had.
 */
import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import { gunzip, gzip } from 'node:zlib';
import { Client } from 'pg';

const [compress, uncompress] = [promisify(gzip), promisify(gunzip)];

/** The session of each situation, and what a client of the service needs to find the service again. */
export interface KeptService {
  readonly namespace: string;
  /** The migrations that the version had, in their order. */
  readonly migrations: readonly string[];
  readonly sessionIds: Readonly<Record<string, string>>;
}

const root = path.join(__dirname, '../../..');
export const folderOfUpgrades = path.join(root, 'test/upgrades');
const migrationsFolder = path.join(root, 'prisma/migrations');

const file = (version: string, name: string): string => path.join(folderOfUpgrades, version, name);

export const keepDescription = (version: string, kept: KeptService): Promise<void> =>
  writeFile(file(version, 'kept.json'), `${JSON.stringify(kept, null, 2)}\n`);

export const keptDescription = async (version: string): Promise<KeptService> =>
  JSON.parse(await readFile(file(version, 'kept.json'), 'utf8')) as KeptService;

export const keepTemporal = async (version: string, databaseFile: string): Promise<void> =>
  writeFile(file(version, 'temporal.db.gz'), await compress(await readFile(databaseFile), { level: 9 }));

export const unpackTemporal = async (version: string, databaseFile: string): Promise<void> =>
  writeFile(databaseFile, await uncompress(await readFile(file(version, 'temporal.db.gz'))));

interface KeptDatabase {
  /** By table. */
  readonly rows: Readonly<Record<string, readonly unknown[]>>;
  /** The last value of each sequence that was used. */
  readonly sequences: Readonly<Record<string, string>>;
}

const withClient = async <T>(url: string, work: (client: Client) => Promise<T>): Promise<T> => {
  const client = new Client({ connectionString: url });
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
};

/**
 * Columns that the database does not fill itself, by their table. `constraint_change` is left out: its rows name
 * transactions of their server, and are read by decisions under way alone. `noted` is the judge's.
 */
const columnsByTable = `
  SELECT c.table_name AS name, string_agg(quote_ident(c.column_name), ', ') AS columns
  FROM information_schema.columns c JOIN information_schema.tables t USING (table_schema, table_name)
  WHERE table_schema = 'public' AND t.table_type = 'BASE TABLE' AND is_generated = 'NEVER'
    AND table_name NOT IN ('constraint_change', 'noted')
  GROUP BY 1 ORDER BY 1`;

const tablesOf = async (client: Client): Promise<{ name: string; columns: string }[]> =>
  (await client.query<{ name: string; columns: string }>(columnsByTable)).rows;

export const keepDatabase = (version: string, url: string): Promise<void> =>
  withClient(url, async (client) => {
    const rows: Record<string, readonly unknown[]> = {};
    for (const { name, columns } of await tablesOf(client)) {
      const found = await client.query<{ rows: readonly unknown[] }>(
        `SELECT coalesce(json_agg(t), '[]') AS rows FROM (SELECT ${columns} FROM "${name}") t`,
      );
      rows[name] = found.rows[0]!.rows;
    }
    const used = await client.query<{ name: string; value: string }>(
      `SELECT sequencename AS name, last_value::text AS value FROM pg_sequences
       WHERE last_value IS NOT NULL AND sequencename <> 'noted_id_seq'`,
    );
    const sequences = Object.fromEntries(used.rows.map(({ name, value }) => [name, value]));
    const kept: KeptDatabase = { rows, sequences };
    await writeFile(file(version, 'database.json.gz'), await compress(JSON.stringify(kept), { level: 9 }));
  });

/** @param url of a database without tables */
export const loadDatabase = async (version: string, url: string): Promise<void> => {
  const { migrations } = await keptDescription(version);
  const content = await uncompress(await readFile(file(version, 'database.json.gz')));
  const { rows, sequences } = JSON.parse(content.toString()) as KeptDatabase;
  await withClient(url, async (client) => {
    for (const name of migrations) {
      await client.query(await readFile(path.join(migrationsFolder, name, 'migration.sql'), 'utf8'));
    }
    await client.query(migrationsTable);
    // Rows come as they were: no trigger notes them, and the order of tables does not matter.
    await client.query('SET session_replication_role = replica');
    for (const { name, columns } of await tablesOf(client)) {
      const select = `SELECT ${columns} FROM json_populate_recordset(NULL::"${name}", $1::json)`;
      await client.query(`INSERT INTO "${name}" (${columns}) ${select}`, [JSON.stringify(rows[name] ?? [])]);
    }
    for (const [name, value] of Object.entries(sequences)) {
      await client.query('SELECT setval($1::regclass, $2::bigint)', [`"${name}"`, value]);
    }
  });
};

/** Prisma's own record of what was migrated. */
const migrationsTable = `
  CREATE TABLE _prisma_migrations (
    id varchar(36) PRIMARY KEY, checksum varchar(64) NOT NULL, finished_at timestamptz,
    migration_name varchar(255) NOT NULL, logs text, rolled_back_at timestamptz,
    started_at timestamptz NOT NULL DEFAULT now(), applied_steps_count integer NOT NULL DEFAULT 0)`;
