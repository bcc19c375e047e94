/** The commands of the service itself: they start it, or look into its database. */
import type { Command } from 'commander';
import { settingsTable } from '../config/settings-table';
import { type Database, databaseNow, openDatabase } from '../prisma/database';
import { addDemoCommand } from './demo';
import { addFleetCommands } from './fleet';
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

export const addServiceCommands = (program: Command): void => {
  program.commandsGroup('Run the service, or look into it:');
  addDemoCommand(program, process.env);
  addUpCommand(program, process.env);
  addFleetCommands(program, openServiceDatabase);
  addSimulateCommand(program);
  addTraceCommand(program, openServiceDatabase, process.env);
};
