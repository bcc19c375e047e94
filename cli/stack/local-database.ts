/** Where the database of the local stack is. Commands that only look into it load nothing else of the stack. */
import { portFile, readRememberedPort } from './ports';
import { postgresUrl } from './postgres';

export const serviceDatabase = 'parley';

/**
 * The address of the database that the stack on this data folder made.
 * @throws Error when no stack was ever started there
 */
export const localDatabaseUrl = async (dataDir: string): Promise<string> => {
  const port = await readRememberedPort(portFile(dataDir, 'postgres'));
  if (port !== undefined) return postgresUrl(port, serviceDatabase);
  throw new Error(`no stack was started on ${dataDir}: run \`parley up\`, or set DATABASE_URL or PARLEY_DATA_DIR`);
};
