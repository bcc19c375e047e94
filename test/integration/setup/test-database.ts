/** A database of its own for a test file: a copy of one that was migrated once. */
import { randomUUID } from 'node:crypto';
import { Client } from 'pg';
import { type Database, openDatabase } from '../../../prisma/database';
import { testServices } from './services';

export const templateDatabase = 'parley_template';

export interface TestDatabase {
  readonly url: string;
  readonly db: Database;
  /** Closes `db` and removes the database; whoever else uses it is cut off. */
  readonly drop: () => Promise<void>;
}

const onServer = async (postgresUrl: string, statement: string): Promise<void> => {
  const client = new Client({ connectionString: postgresUrl });
  await client.connect();
  try {
    await client.query(statement);
  } finally {
    await client.end();
  }
};

export const createTestDatabase = (): Promise<TestDatabase> => createFrom(templateDatabase);

/** Without tables, for what migrations do. */
export const createEmptyDatabase = (): Promise<TestDatabase> => createFrom('template0');

/** A slow machine is no stuck one. */
const limits = { connectionMs: 300_000, transactionMs: 300_000 };

const createFrom = async (template: string): Promise<TestDatabase> => {
  const { postgresUrl } = testServices();
  const name = `test_${randomUUID().replaceAll('-', '')}`;
  await onServer(postgresUrl, `CREATE DATABASE ${name} TEMPLATE ${template} STRATEGY FILE_COPY`);
  const url = new URL(postgresUrl);
  url.pathname = `/${name}`;
  const db = openDatabase({ url: url.href, limits });
  const drop = async (): Promise<void> => {
    await db.$disconnect();
    await onServer(postgresUrl, `DROP DATABASE ${name} WITH (FORCE)`);
  };
  return { url: url.href, db, drop };
};
