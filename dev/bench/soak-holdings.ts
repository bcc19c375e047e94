/** What the processes and the database of a stack hold, by name. */
import { readdir } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { Prisma } from '@prisma/client';
import type { Client } from '@temporalio/client';
import type { Database } from '../../prisma/database';
import type { MeasuredStack } from './measured-stack';
import { openFiles, residentMemoryMb } from './processes';

export type Held = Readonly<Record<string, number>>;

export interface Look {
  readonly client: Client;
  /** How long it is waited before the look. */
  readonly settleMs: number;
  readonly signal: AbortSignal;
}

const countRows = async (db: Database): Promise<Held> => {
  const tables = await db.$queryRaw<{ name: string }[]>`
    SELECT tablename AS name FROM pg_tables WHERE schemaname = 'public' ORDER BY tablename`;
  const counts: Record<string, number> = {};
  for (const { name } of tables) {
    const [row] = await db.$queryRaw<{ rows: number }[]>`SELECT count(*)::int AS rows FROM ${Prisma.raw(`"${name}"`)}`;
    if (row !== undefined && row.rows > 0) counts[`rows of ${name}`] = row.rows;
  }
  return counts;
};

const ofProcesses = async ({ pids }: MeasuredStack): Promise<Held> => {
  const held: Record<string, number> = {};
  for (const program of ['api', 'worker'] as const) {
    for (const pid of pids[program]) {
      held[`memory of ${program}, MiB`] = Math.round(await residentMemoryMb(pid));
      held[`open files of ${program}`] = await openFiles(pid);
    }
  }
  return held;
};

/** Those of PostgreSQL itself are left out: it makes and removes files as it likes. */
const countFiles = async (dataDir: string): Promise<number> => {
  const files = await readdir(dataDir, { recursive: true, withFileTypes: true });
  const ofPostgres = path.join(dataDir, 'postgres');
  return files.filter((file) => file.isFile() && !file.parentPath.startsWith(ofPostgres)).length;
};

export const holdings = async (stack: MeasuredStack, { client, settleMs, signal }: Look): Promise<Held> => {
  await sleep(settleMs, undefined, { signal });
  const { count } = await client.workflow.count("ExecutionStatus = 'Running'");
  return {
    ...(await ofProcesses(stack)),
    'open workflows': count,
    files: await countFiles(stack.settings.dataDir),
    ...(await countRows(stack.db)),
  };
};
