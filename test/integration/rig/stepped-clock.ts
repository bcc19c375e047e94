/** The clock of a test database, which stands still until the test sets it: nothing has to be waited for. */
import { openDatabase } from '../../../prisma/database';
import { createTestDatabase } from '../setup/test-database';

/** Statements find these functions before those of PostgreSQL. Defaults of columns are bound to a function once. */
const ownClock = (name: string, start: Date): readonly string[] => [
  'CREATE SCHEMA clock',
  'CREATE TABLE clock.present (at timestamptz NOT NULL)',
  `INSERT INTO clock.present VALUES ('${start.toISOString()}')`,
  ...['now', 'clock_timestamp'].map(
    (one) =>
      `CREATE FUNCTION clock.${one}() RETURNS timestamptz LANGUAGE sql VOLATILE AS 'SELECT at FROM clock.present'`,
  ),
  `DO $$ DECLARE c record; BEGIN
     FOR c IN SELECT table_name, column_name FROM information_schema.columns
              WHERE table_schema = 'public' AND column_default = 'CURRENT_TIMESTAMP'
     LOOP EXECUTE format('ALTER TABLE public.%I ALTER %I SET DEFAULT clock.now()', c.table_name, c.column_name); END LOOP;
   END $$`,
  `ALTER DATABASE ${name} SET search_path = clock, public, pg_catalog`,
];

export const createSteppedDatabase = async (start: Date) => {
  const made = await createTestDatabase();
  const name = new URL(made.url).pathname.slice(1);
  for (const statement of ownClock(name, start)) await made.db.$executeRawUnsafe(statement);
  await made.db.$disconnect();
  const db = openDatabase({ url: made.url });
  return {
    db,
    setTime: async (at: Date): Promise<void> => {
      await db.$executeRaw`UPDATE clock.present SET at = ${at}`;
    },
    drop: async (): Promise<void> => {
      await db.$disconnect();
      await made.drop();
    },
  };
};
