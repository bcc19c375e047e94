/** Writes the end of a claim (rules/steps/claim-step.ts decides how long its groups recover). */
import { type EndOfClaim, recoverySecondsAfter } from '../../rules/steps/claim-step';
import type { Queryable } from '../database';
import type { ClaimRecord } from './claims';
import type { NewRefusal } from './target-refusals';

export interface ActionEnd extends EndOfClaim {
  /** The refused target, when the outcome is that the target refused the instance. */
  readonly refusal?: Pick<NewRefusal, 'refusalClass' | 'passesInSeconds' | 'hostThere' | 'instancesThere'>;
  /** The instance's present host, if it moved. */
  readonly host?: string;
  readonly failure?: string;
  /** It has failed, because the cloud refused it until its limit: its host is given back, and others go on. */
  readonly isRefusedStill?: true;
}

/**
 * Records that the action is over, so that the group's recovery begins, and how long it took when it was done. Both in
 * one statement, since others wait for the session's row.
 *
 * @returns the time of the end; undefined when it was recorded before, or when the action began after the claim was
 * read
 */
export const recordActionEnd = async (tx: Queryable, claim: ClaimRecord, end: ActionEnd): Promise<Date | undefined> => {
  const { outcome, host = claim.target, failure = null } = end;
  const { recoveryTime, askedAt, startedAt, forcedAt } = claim;
  const steps = { isAsked: askedAt !== null, isBegun: startedAt !== null, isForced: forcedAt !== null };
  const recoversSeconds = recoverySecondsAfter({ recoveryTime, ...steps }, end);
  const rows = await tx.$queryRaw<{ endedAt: Date }[]>`
    WITH ended AS (
      UPDATE claim SET phase = ${recoversSeconds > 0 ? 'recovering' : 'closed'}, ended_at = now.at,
        recovers_at = now.at + ${recoversSeconds} * interval '1 s', outcome = ${outcome}, failure = ${failure},
        target = ${host}
      FROM (SELECT clock_timestamp() AS at) AS now
      WHERE id = ${claim.id}::uuid AND phase IN ('asked', 'moving')
        AND (started_at IS NULL OR ${claim.startedAt !== null})
      RETURNING id, project_id, action, outcome, started_at, ended_at
    ), timed AS (
      INSERT INTO move_time (claim_id, project_id, action, seconds, ended_at)
      SELECT id, project_id, action, greatest(0, extract(epoch FROM ended_at - started_at)), ended_at FROM ended
      WHERE outcome = 'done' AND started_at IS NOT NULL
      ON CONFLICT DO NOTHING
    )
    SELECT ended_at AS "endedAt" FROM ended`;
  return rows[0]?.endedAt;
};
