/**
 * Migrations in a process of their own, as at a start of the service. Prisma's engine is set up once in a process, and
 * the global set-up has done so already where Jest runs a single file within its own process.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import path from 'node:path';
import { text } from 'node:stream/consumers';

const root = path.join(__dirname, '../../..');

/** It ends with its answer: the timer by which Prisma's engine gives up on its lock would hold it for ten seconds. */
export const startMigrating = (databaseUrl: string): ChildProcess => {
  const program = `
    require('./prisma/migrate').migrate(${JSON.stringify(databaseUrl)}, { tell: (line) => console.log(line) })
      .then((applied) => console.log('applied ' + applied.length), (error) => console.log(error.message))
      .finally(() => process.exit())`;
  const args = ['--require', './test/run/run-typescript.cjs', '--eval', program];
  return spawn(process.execPath, args, { cwd: root, stdio: ['ignore', 'pipe', 'inherit'] });
};

/** @returns the number of applied migrations, or why they failed, in words */
export const migrated = async (databaseUrl: string): Promise<string> =>
  (await saidBy(startMigrating(databaseUrl))).at(-1) ?? '';

/** Its lines: for what it has waited, then its answer. */
export const saidBy = async ({ stdout }: ChildProcess): Promise<string[]> =>
  (await text(stdout!)).trimEnd().split('\n');
