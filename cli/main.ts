/** The command line `parley`. A failure prints its message and ends with exit code 1. */
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { Command } from 'commander';
import { settingsTable } from '../config/settings-table';
import { type Database, databaseNow, openDatabase } from '../prisma/database';
import { addDemoCommand } from './demo';
import { addFleetCommands } from './fleet';
import { packageRoot } from './package-root';
import { addSimulateCommand } from './simulate';
import { localDatabaseUrl } from './stack/own-servers';
import { addTraceCommand } from './trace';
import { addUpCommand } from './up';

/**
 * The database that DATABASE_URL names, or else that of the stack that runs here.
 * @throws Error when it does not answer
 */
const openServiceDatabase = async (): Promise<Database> => {
  const given = process.env[settingsTable.databaseUrl.name] ?? '';
  const dataDir = settingsTable.dataDir.read(process.env[settingsTable.dataDir.name]);
  const db = openDatabase({ url: given === '' ? await localDatabaseUrl(dataDir) : given, poolSize: 2 });
  try {
    await databaseNow(db);
    return db;
  } catch (cause) {
    await db.$disconnect();
    const whose = given === '' ? `of the stack on ${dataDir}: start it with \`parley up\`` : 'that DATABASE_URL names';
    throw new Error(`no answer from the database ${whose}`, { cause });
  }
};

const parseVersion = (packageJson: string): string => (JSON.parse(packageJson) as { version: string }).version;

const settingsHint = `
Settings are read from the environment: docs/settings.md and .env.example list them.`;

const main = async (): Promise<void> => {
  const program = new Command('parley').description('rolling maintenance of hosts, agreed with their projects');
  program.version(parseVersion(readFileSync(path.join(packageRoot, 'package.json'), 'utf8')));
  program.addHelpText('after', settingsHint);
  addDemoCommand(program, process.env);
  addUpCommand(program, process.env);
  addFleetCommands(program, openServiceDatabase);
  addSimulateCommand(program);
  addTraceCommand(program, openServiceDatabase, process.env);
  await program.parseAsync();
};

main().catch((error: unknown) => {
  process.stderr.write(`parley: ${error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = 1;
});
