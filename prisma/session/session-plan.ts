/** The plan with which a session began: its report compares what was done with it. */
import type { Plan } from '../../rules/simulation/plan/plan';
import type { Database, Queryable } from '../database';

export interface KeptPlan {
  readonly madeAt: Date;
  readonly endsAtEarliest: Date;
  readonly endsAt: Date;
  readonly endsAtLatest: Date;
  readonly hosts: readonly KeptHost[];
}

/** ISO 8601. Null: the plan does not get to it. */
export interface KeptHost {
  readonly hostname: string;
  /** The beginning of its drain, or of its maintenance where nothing had to leave. */
  readonly beginsAt: string | null;
  readonly backAt: string | null;
}

/**
 * Keeps a plan that comes to the end of its session. Until the session begins, a newer plan takes its place; later the
 * first one stays.
 * @param madeMs the moment of the facts from which it was made
 */
export const keepPlan = async (
  db: Database,
  { sessionId, madeMs }: { readonly sessionId: string; readonly madeMs: number },
  { endsAtMs, hosts }: Pick<Plan, 'endsAtMs' | 'hosts'>,
): Promise<void> => {
  if (endsAtMs === undefined) return;
  const { earliest, expected, latest } = endsAtMs;
  await db.$executeRaw`
    INSERT INTO session_plan AS kept (session_id, made_at, ends_at_earliest, ends_at, ends_at_latest, hosts)
    SELECT id, ${new Date(madeMs)}, ${new Date(earliest)}, ${new Date(expected)}, ${new Date(latest)},
      ${JSON.stringify(hosts.map(asKept))}::jsonb
    FROM session WHERE id = ${sessionId}::uuid
    ON CONFLICT (session_id) DO UPDATE SET made_at = excluded.made_at, ends_at_earliest = excluded.ends_at_earliest,
      ends_at = excluded.ends_at, ends_at_latest = excluded.ends_at_latest, hosts = excluded.hosts
    WHERE kept.made_at < excluded.made_at
      AND EXISTS (SELECT 1 FROM session WHERE id = kept.session_id AND begun_at IS NULL)`;
};

const asKept = ({ hostname, drain, maintenance }: Plan['hosts'][number]): KeptHost => ({
  hostname,
  beginsAt: timeOf(drain?.fromMs ?? maintenance?.fromMs),
  backAt: timeOf(maintenance?.toMs),
});

const timeOf = (ms: number | undefined): string | null => (ms === undefined ? null : new Date(ms).toISOString());

export const findKeptPlan = async (db: Queryable, sessionId: string): Promise<KeptPlan | null> =>
  (await db.sessionPlan.findUnique({ where: { sessionId } })) as KeptPlan | null;
