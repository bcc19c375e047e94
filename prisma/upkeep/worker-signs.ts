/** The signs of life of worker processes, by the database's clock. */
import type { Database } from '../database';

export interface WorkerSign {
  /** `PID@HOST`, as Temporal names its pollers. */
  readonly identity: string;
  readonly silentSeconds: number;
}

export const recordSign = (db: Database, identity: string): Promise<unknown> =>
  db.$executeRaw`
    INSERT INTO worker_sign (identity, seen_at) VALUES (${identity}, clock_timestamp())
    ON CONFLICT (identity) DO UPDATE SET seen_at = clock_timestamp()`;

/** A worker that ends as it should counts as silent at once; signs that are a day old are forgotten. */
export const recordEnd = (db: Database, identity: string): Promise<unknown> =>
  db.$transaction([
    db.$executeRaw`UPDATE worker_sign SET seen_at = clock_timestamp() - interval '1 hour' WHERE identity = ${identity}`,
    db.$executeRaw`DELETE FROM worker_sign WHERE seen_at < clock_timestamp() - interval '1 day'`,
  ]);

export const findWorkerSigns = (db: Database): Promise<WorkerSign[]> =>
  db.$queryRaw<WorkerSign[]>`
    SELECT identity, extract(epoch FROM clock_timestamp() - seen_at)::float8 AS "silentSeconds" FROM worker_sign`;
