/**
 * Records what real sessions on the simulated cloud do: triggers of the test's own database note every change of the
 * cloud, the constraints, the questions and the sessions, with its time, in the order in which they happen. Nobody who
 * changes the fleet has to tell.
 */
import { type Database, inTransaction } from '../../prisma/database';
import type { Noted } from './noted';
import { recordedTrace } from './recorded-trace';
import type { Trace } from './trace';

export interface TraceRecording {
  /** The trace until now. */
  readonly read: () => Promise<Trace>;
}

export interface RecordingOptions {
  /** The share of groups without constraints, as in the workflow `vnf`; left out: one member at a time. */
  readonly impactShare?: number;
}

const watched = [
  'sim_host',
  'sim_group',
  'sim_instance',
  'sim_move',
  'group_constraint',
  'instance_constraint',
  'session',
  'session_host',
  'question',
  'claim',
  'event',
] as const;

const statements = [
  `CREATE TABLE noted (id bigserial PRIMARY KEY, at timestamptz NOT NULL DEFAULT clock_timestamp(),
     transaction xid8 NOT NULL DEFAULT pg_current_xact_id(), source text, old jsonb, new jsonb)`,
  `CREATE FUNCTION note() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
     INSERT INTO noted (source, old, new) VALUES (TG_TABLE_NAME, to_jsonb(OLD), to_jsonb(NEW)); RETURN NULL; END $$`,
  ...watched.map(
    (table) => `CREATE TRIGGER note AFTER INSERT OR UPDATE OR DELETE ON ${table} FOR EACH ROW EXECUTE FUNCTION note()`,
  ),
  // Existing rows count as made now.
  ...watched.map((table) => `INSERT INTO noted (source, new) SELECT '${table}', to_jsonb(row) FROM ${table} AS row`),
];

/** Begins with the fleet and the constraints as they are now. */
export const watchMoves = async (db: Database, options: RecordingOptions = {}): Promise<TraceRecording> => {
  await inTransaction(db, async (tx) => {
    for (const statement of statements) await tx.$executeRawUnsafe(statement);
  });
  const [{ id: begin } = { id: 0 }] = await db.$queryRaw<{ id: number }[]>`SELECT max(id)::int AS id FROM noted`;
  return {
    async read() {
      const notes = await db.$queryRaw<Noted[]>`
        SELECT id::int, extract(epoch FROM at)::float AS at, transaction::text, source, old, new FROM noted ORDER BY id`;
      return recordedTrace(
        { before: notes.filter(({ id }) => id <= begin), since: notes.filter(({ id }) => id > begin) },
        options,
      );
    },
  };
};
