/** A base backup of a running PostgreSQL with the log that belongs to it, made as pg_basebackup makes one. */
import { execFile } from 'node:child_process';
import { chown, rm, stat, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import { Client } from 'pg';
import type { Postgres } from '../../../cli/stack/postgres';

type Server = Pick<Postgres, 'urlOf'>;
type Ask = (sql: string) => Promise<string>;

/** Keeps the owners: root's PostgreSQL runs as another user. */
export const copyFolder = (from: string, to: string) => promisify(execFile)('cp', ['-a', from, to]);
export const removeFolder = (folder: string) => rm(folder, { recursive: true, force: true });

/** Writes a file that belongs to whom the folder belongs. */
export const writeInto = async (folder: string, name: string, text: string): Promise<void> => {
  const file = path.join(folder, name);
  await writeFile(file, text);
  const { uid, gid } = await stat(folder);
  await chown(file, uid, gid);
};

/** Asks all questions on one connection. */
const asking = async <T>({ urlOf }: Server, work: (ask: Ask) => Promise<T>): Promise<T> => {
  const client = new Client({ connectionString: urlOf('postgres') });
  await client.connect();
  const ask = async (sql: string) => (await client.query<{ answer: string }>(sql)).rows[0]!.answer;
  return work(ask).finally(() => client.end());
};

/** @param sql selects one row with the column `answer` */
export const askServer = (server: Server, sql: string): Promise<string> => asking(server, (ask) => ask(sql));

export const dataFolderOf = (server: Server): Promise<string> =>
  askServer(server, "SELECT current_setting('data_directory') AS answer");

/** @param kept the folder that the backup becomes; one that is there is replaced */
export const makeBaseBackup = async (server: Server, kept: string): Promise<void> => {
  const folder = await dataFolderOf(server);
  await asking(server, async (ask) => {
    await removeFolder(kept);
    await ask("SELECT pg_backup_start('kept', fast => true) AS answer");
    await copyFolder(folder, kept);
    const label = await ask('SELECT labelfile AS answer FROM pg_backup_stop(wait_for_archive => false)');
    await writeInto(kept, 'backup_label', label);
    await rm(path.join(kept, 'postmaster.pid'));
    await removeFolder(path.join(kept, 'pg_wal'));
    await copyFolder(path.join(folder, 'pg_wal'), path.join(kept, 'pg_wal'));
  });
};
