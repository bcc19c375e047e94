/** The database that commands of the service look into. */
import { settingsTable } from '../config/settings-table';
import { type Database, databaseNow, openDatabase } from '../prisma/database';
import { localDatabaseUrl } from './stack/local-database';

/**
 * The database that DATABASE_URL names, or else that of the stack that runs here.
 * @throws Error when it does not answer
 */
export const openServiceDatabase = async (): Promise<Database> => {
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
