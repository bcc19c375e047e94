/** The database of a process that starts: migrated, and with the simulated fleet that the settings name. */
import { type Database, type DatabaseOptions, openDatabase } from '../prisma/database';
import { migrate } from '../prisma/migrate';
import { type ProgramStart, waitAtStart } from '../startup/wait-at-start';
import { loadFleetOnce } from './registry';

interface PreparedOptions extends Omit<DatabaseOptions, 'url'> {
  readonly databaseUrl: string;
  /** Left out: the simulated cloud keeps the fleet that it has. */
  readonly fleetFile?: string;
}

/** A migration may write large tables anew. */
const migrateSeconds = 1_800;
const fleetSeconds = 300;

const otherFleet = (fleetFile: string): string =>
  `PARLEY_FLEET is not loaded: the simulated cloud has other hosts already; parley fleet load ${fleetFile} replaces them`;

/** @throws StartFault when the database does not let the process begin, StoppedAtStart when the process is to stop */
export const openPreparedDatabase = async (start: ProgramStart, options: PreparedOptions): Promise<Database> => {
  const { databaseUrl: url, fleetFile, ...others } = options;
  const { tell } = start;
  const migrated = { what: 'the database to be migrated', limitSeconds: migrateSeconds };
  await waitAtStart(start, migrated, () => migrate(url, { tell }));
  const db = openDatabase({ url, ...others });
  if (fleetFile !== undefined) {
    const loaded = { what: 'the fleet of PARLEY_FLEET to be stored', limitSeconds: fleetSeconds };
    if ((await waitAtStart(start, loaded, () => loadFleetOnce(db, fleetFile))) === 'otherKept')
      tell(otherFleet(fleetFile));
  }
  return db;
};
