/**
 * Physical backups within a test. PostgreSQL: a base backup of its running server with the log that belongs to it, made
 * as pg_basebackup makes one. Temporal: a copy of its file, taken and put back while the server is stopped.
 */
import { execFile } from 'node:child_process';
import { chown, copyFile, rm, stat, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import { Client } from 'pg';
import { type Postgres, type PostgresOptions, startPostgres } from '../../../cli/stack/postgres';
import {
  startTemporalServer,
  type TemporalServer,
  type TemporalServerOptions,
} from '../../../cli/stack/temporal-server';

export interface PostgresOfFolder {
  urlOf(database: string): string;
  backUp(): Promise<void>;
  restore(): Promise<void>;
  stop(): Promise<void>;
}

/** Keeps the owners: root's PostgreSQL runs as another user. */
const copyFolder = (from: string, to: string) => promisify(execFile)('cp', ['-a', from, to]);
const removeFolder = (folder: string) => rm(folder, { recursive: true, force: true });

export const startPostgresOfFolder = async (options: PostgresOptions): Promise<PostgresOfFolder> => {
  let server: Postgres = await startPostgres(options);
  const asking = async <T>(work: (ask: (sql: string) => Promise<string>) => Promise<T>): Promise<T> => {
    const client = new Client({ connectionString: server.urlOf('postgres') });
    await client.connect();
    const ask = async (sql: string) => (await client.query<{ answer: string }>(sql)).rows[0]!.answer;
    return work(ask).finally(() => client.end());
  };
  const folder = await asking((ask) => ask("SELECT current_setting('data_directory') AS answer"));
  const kept = `${folder}.kept`;
  return {
    urlOf: server.urlOf,
    backUp: () =>
      asking(async (ask) => {
        await removeFolder(kept);
        await ask("SELECT pg_backup_start('kept', fast => true) AS answer");
        await copyFolder(folder, kept);
        const label = await ask('SELECT labelfile AS answer FROM pg_backup_stop(wait_for_archive => false)');
        await writeFile(path.join(kept, 'backup_label'), label);
        const { uid, gid } = await stat(kept);
        await chown(path.join(kept, 'backup_label'), uid, gid);
        await rm(path.join(kept, 'postmaster.pid'));
        await removeFolder(path.join(kept, 'pg_wal'));
        await copyFolder(path.join(folder, 'pg_wal'), path.join(kept, 'pg_wal'));
      }),
    async restore() {
      await server.stop();
      await removeFolder(folder);
      await copyFolder(kept, folder);
      server = await startPostgres(options);
    },
    stop: () => server.stop(),
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
