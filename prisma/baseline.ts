/** All migrations build on the first: a database that began with another one cannot be brought to this schema. */
import type { Client } from 'pg';
import { StartFault } from '../startup/start-fault';

/**
 * A migration that is newer than this version knows is no fault: during an upgrade the old version starts again beside
 * the new one.
 *
 * @param first the name of the first migration of this version
 * @throws StartFault when the database began with another one
 */
export const assertSameBaseline = async (client: Client, first: string | undefined): Promise<void> => {
  const { rows: tables } = await client.query<{ isThere: boolean }>(
    `SELECT to_regclass('_prisma_migrations') IS NOT NULL AS "isThere"`,
  );
  if (tables[0]?.isThere !== true) return;
  const { rows } = await client.query<{ name: string }>(
    'SELECT migration_name AS name FROM _prisma_migrations WHERE finished_at IS NOT NULL ORDER BY 1 LIMIT 1',
  );
  const began = rows[0]?.name;
  if (began === undefined || began === first) return;
  throw new StartFault(
    `the database began with the migration ${began}, which this version does not know: no upgrade leads from a ` +
      'version before 0.2.0; give DATABASE_URL the name of a new database, or start the version that made this one',
  );
};
