/**
 * Measures a session for the demo's summary. Counts the simulated cloud's own log of moves, the questions and the
 * events, not the session's own account.
 */
import type { Database } from '../../prisma/database';
import { impactShareIn } from '../../rules/decisions/both-workflows/built-in-workflow';
import { defaultImpact } from '../../rules/decisions/limits/default-impact';
import { type Impact, peakOf } from './peak';

export interface GroupPeak {
  readonly name: string;
  readonly peak: number;
  readonly limit: number;
}

export interface SessionMeasures {
  /** The moves that ended, by kind. */
  readonly moves: readonly { readonly kind: string; readonly count: number }[];
  readonly fallbacks: number;
  readonly questions: { readonly asked: number; readonly answered: number; readonly silent: number };
  readonly peaks: readonly GroupPeak[];
  readonly events: number;
}

const countMoves = async (db: Database, sessionId: string): Promise<SessionMeasures['moves']> =>
  db.$queryRaw<SessionMeasures['moves']>`
    SELECT sim_move.action || CASE WHEN forced THEN ' (forced)' ELSE '' END AS kind, count(*)::int AS count
    FROM sim_move JOIN claim ON claim.id = sim_move.claim_id
    WHERE claim.session_id = ${sessionId}::uuid AND sim_move.status = 'done' GROUP BY kind ORDER BY kind`;

const countQuestions = async (db: Database, sessionId: string): Promise<SessionMeasures['questions']> => {
  const [asked, answered] = await Promise.all([
    db.question.count({ where: { sessionId, askedAt: { not: null } } }),
    db.question.count({ where: { sessionId, status: 'answered' } }),
  ]);
  return { asked, answered, silent: asked - answered };
};

interface MoveRow {
  readonly group_key: string;
  /** Project and flavor of a default group; only the key of a group that is not stored. */
  readonly group_name: string;
  readonly max_impacted_members: number | null;
  /** Members; of a default group only the instances without constraints. */
  readonly members: number;
  readonly started_at: Date;
  readonly recovered_at: Date;
}

/**
 * An instance is impacted from its action's start until recovery_time after the end. A live migration and its fallback
 * are one action.
 */
const findImpacts = async (db: Database, sessionId: string): Promise<readonly MoveRow[]> =>
  db.$queryRaw<readonly MoveRow[]>`
    SELECT claim.group_key, coalesce(stored.group_name, claim.project_id || substring(claim.group_key FROM '/.*$'),
             claim.group_key) AS group_name, stored.max_impacted_members, min(sim_move.started_at) AS started_at,
           (SELECT count(*)::int FROM sim_instance AS member WHERE project_key || '/' || flavor = claim.group_key
              AND NOT EXISTS (SELECT FROM instance_constraint WHERE instance_key = member.instance_key)) AS members,
           max(sim_move.ended_at) + coalesce(stored.recovery_time, 0) * interval '1 second' AS recovered_at
    FROM sim_move JOIN claim ON claim.id = sim_move.claim_id
    LEFT JOIN group_constraint stored ON stored.group_key = claim.group_key
    WHERE claim.session_id = ${sessionId}::uuid AND sim_move.ended_at IS NOT NULL
    GROUP BY claim.id, claim.group_key, stored.group_name, stored.max_impacted_members, stored.recovery_time
    ORDER BY group_name, claim.group_key`;

const toImpact = ({ started_at, recovered_at }: MoveRow): Impact => ({
  fromMs: started_at.getTime(),
  untilMs: recovered_at.getTime(),
});

/** A group without constraints has the default limit. */
const measurePeaks = (rows: readonly MoveRow[], impactShare: number): readonly GroupPeak[] =>
  [...new Set(rows.map(({ group_key }) => group_key))].map((key) => {
    const members = rows.filter(({ group_key }) => group_key === key);
    return {
      name: members[0]?.group_name ?? key,
      limit: members[0]?.max_impacted_members ?? defaultImpact(members[0]?.members ?? 0, impactShare),
      peak: peakOf(members.map(toImpact)),
    };
  });

/**
 * @param defaultShare the share of a group without constraints that may be impacted at once
 * (PARLEY_DEFAULT_IMPACT_SHARE)
 */
export const measureSession = async (
  db: Database,
  sessionId: string,
  defaultShare: number,
): Promise<SessionMeasures> => {
  const session = await db.session.findUniqueOrThrow({ where: { id: sessionId } });
  const impactShare = impactShareIn(session, defaultShare);
  return {
    moves: await countMoves(db, sessionId),
    fallbacks: await db.claim.count({ where: { sessionId, forcedAt: { not: null } } }),
    questions: await countQuestions(db, sessionId),
    peaks: measurePeaks(await findImpacts(db, sessionId), impactShare),
    events: await db.event.count({ where: { sessionId, position: { not: null } } }),
  };
};
