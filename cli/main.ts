/** The command line `parley`. What goes wrong is told in words and ends with exit code 1. */
import { Command } from 'commander';
import { settingsTable } from '../config/settings-table';
import { type Database, openDatabase } from '../prisma/database';
import { addDemoCommand } from './demo';
import { addFleetCommands } from './fleet';
import { localDatabaseUrl } from './stack/own-servers';
import { addUpCommand } from './up';

/** The database that DATABASE_URL names, else the one of the stack that runs here. */
const openServiceDatabase = async (): Promise<Database> => {
  const dataDir = settingsTable.dataDir.read(process.env[settingsTable.dataDir.name]);
  const url = process.env[settingsTable.databaseUrl.name] ?? (await localDatabaseUrl(dataDir));
  return openDatabase({ url, poolSize: 2 });
};

const main = async (): Promise<void> => {
  const program = new Command('parley').description('rolling maintenance of hosts, agreed with their projects');
  addDemoCommand(program, process.env);
  addUpCommand(program, process.env);
  addFleetCommands(program, openServiceDatabase);
  await program.parseAsync();
};

main().catch((error: unknown) => {
  process.stderr.write(`parley: ${error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = 1;
});
