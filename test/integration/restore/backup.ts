/**
 * Backups within a test. PostgreSQL: the tables of the service, without those of the simulated cloud, since no cloud
 * goes back in time. Temporal: a physical copy of its file, taken and put back while the server is stopped.
 */
import { copyFile, rm } from 'node:fs/promises';
import {
  startTemporalServer,
  type TemporalServer,
  type TemporalServerOptions,
} from '../../../cli/stack/temporal-server';
import { type Database, inTransaction } from '../../../prisma/database';

const tablesOf = async (db: Database): Promise<string[]> => {
  const rows = await db.$queryRaw<{ name: string }[]>`
    SELECT table_name::text AS name FROM information_schema.tables
    WHERE table_schema = 'public' AND table_type = 'BASE TABLE'
      AND table_name NOT LIKE 'sim\\_%' AND table_name NOT LIKE '\\_prisma%'`;
  return rows.map(({ name }) => name);
};

/** @returns puts the tables back as they are now */
export const backUpTables = async (db: Database): Promise<() => Promise<void>> => {
  const tables = await tablesOf(db);
  await db.$executeRawUnsafe('CREATE SCHEMA backup');
  for (const table of tables) await db.$executeRawUnsafe(`CREATE TABLE backup.${table} AS TABLE public.${table}`);
  return async () => {
    await inTransaction(db, async (tx) => {
      // References between the tables hold before and after, not in between.
      await tx.$executeRawUnsafe('SET LOCAL session_replication_role = replica');
      for (const table of tables) {
        const columns = await tx.$queryRaw<{ names: string }[]>`
          SELECT string_agg(quote_ident(column_name), ', ') AS names FROM information_schema.columns
          WHERE table_schema = 'public' AND table_name = ${table} AND is_generated = 'NEVER'`;
        const names = columns[0]!.names;
        await tx.$executeRawUnsafe(`DELETE FROM public.${table}`);
        await tx.$executeRawUnsafe(`INSERT INTO public.${table} (${names}) SELECT ${names} FROM backup.${table}`);
      }
    });
    await db.$executeRawUnsafe('DROP SCHEMA backup CASCADE');
  };
};

export interface TemporalOfFile {
  readonly address: string;
  backUp(): Promise<void>;
  restore(): Promise<void>;
  stop(): Promise<void>;
}

export const startTemporalOfFile = async (options: TemporalServerOptions): Promise<TemporalOfFile> => {
  const { databaseFile } = options;
  const kept = `${databaseFile}.kept`;
  const parts = ['', '-wal', '-shm'];
  let server: TemporalServer = await startTemporalServer(options);
  const whileStopped = async (act: () => Promise<void>): Promise<void> => {
    await server.stop();
    await act();
    server = await startTemporalServer(options);
  };
  const copy = async (from: string, to: string): Promise<void> => {
    for (const part of parts) {
      await rm(`${to}${part}`, { force: true });
      await copyFile(`${from}${part}`, `${to}${part}`).catch(ignoreMissing);
    }
  };
  return {
    address: server.address,
    backUp: () => whileStopped(() => copy(databaseFile, kept)),
    restore: () => whileStopped(() => copy(kept, databaseFile)),
    stop: () => server.stop(),
  };
};

const ignoreMissing = (error: NodeJS.ErrnoException): void => {
  if (error.code !== 'ENOENT') throw error;
};
