/**
 * Physical backups within a test. PostgreSQL: a base backup of its running server (base-backup.ts). Temporal: a copy of
 * its file, taken and put back while the server is stopped.
 */
import { copyFile, rm } from 'node:fs/promises';
import { type Postgres, type PostgresOptions, startPostgres } from '../../../cli/stack/postgres';
import {
  startTemporalServer,
  type TemporalServer,
  type TemporalServerOptions,
} from '../../../cli/stack/temporal-server';
import { copyFolder, dataFolderOf, makeBaseBackup, removeFolder } from './base-backup';

export interface PostgresOfFolder {
  urlOf(database: string): string;
  backUp(): Promise<void>;
  restore(): Promise<void>;
  stop(): Promise<void>;
}

export const startPostgresOfFolder = async (options: PostgresOptions): Promise<PostgresOfFolder> => {
  let server: Postgres = await startPostgres(options);
  const folder = await dataFolderOf(server);
  const kept = `${folder}.kept`;
  return {
    urlOf: server.urlOf,
    backUp: () => makeBaseBackup(server, kept),
    restore: async () => {
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
