/**
 * The claims that come before another one: its action must leave capacity and budget for them when it is about to
 * begin.
 */
import type { Amounts } from '../../rules/cloud/amounts';
import type { Queryable } from '../database';
import type { ClaimRecord } from './claims';

export interface ClaimBefore {
  readonly instanceId: string;
  readonly projectId: string;
  readonly amounts: Amounts;
  /** The claim uses capacity on the requested target: its instance is on the way there, or has landed since. */
  readonly isOntoTarget: boolean;
  /** The claim is open, so it impacts the groups of its instance. */
  readonly isOpen: boolean;
  /** Keys of the groups under which it was granted. */
  readonly limitKeys: readonly string[];
}

export interface BeforeWhat {
  readonly claim: Pick<ClaimRecord, 'id' | 'askedAt' | 'createdAt' | 'target'>;
  /** Keys of the relevant groups. */
  readonly limitKeys: readonly string[];
  /** The time since which the cloud's list of the target may lack instances that have landed there. */
  readonly landedSince: Date;
}

/**
 * Claims of all sessions in the groups or to the claim's target that come before it. So of several claims that do not
 * go together, exactly the later ones wait. Among open claims, first come those whose action has begun, or is to be
 * their project's own since their question was settled. Then come those that were asked, which are impacted already,
 * and then those that were not. Within each kind, earlier admissions come first. Among closed claims, those count whose
 * instance has landed on the target since then.
 */
export const findClaimsBefore = async (
  db: Queryable,
  { claim: { id, askedAt, createdAt, target }, limitKeys, landedSince }: BeforeWhat,
): Promise<ClaimBefore[]> => db.$queryRaw<ClaimBefore[]>`
  SELECT * FROM (
    SELECT claim.instance_id AS "instanceId", claim.project_id AS "projectId", claim.amounts,
           claim.target = ${target} AND (claim.phase IN ('asked', 'moving') OR claim.has_landed) AS "isOntoTarget",
           claim.is_open AS "isOpen", claim.group_key || claim.further_limit_keys AS "limitKeys",
           -- An instance that was put into another group meanwhile counts in both.
           claim.is_open AND (claim.group_key || claim.further_limit_keys && ${[...limitKeys]}::text[]
             OR stored.group_key = ANY(${[...limitKeys]}::text[])) AS "isInGroups"
    FROM (
      SELECT *,
             -- As stillCounts says (rules/decisions): a recovery without a known end counts.
             phase IN ('asked', 'moving')
               OR phase = 'recovering' AND (recovers_at IS NULL OR recovers_at > clock_timestamp()) AS is_open,
             outcome IS NOT DISTINCT FROM 'done' AND ended_at >= ${landedSince} AS has_landed
      FROM claim
      -- What indexes find: claims that are over are many.
      WHERE phase IN ('asked', 'moving', 'recovering') OR outcome = 'done' AND ended_at >= ${landedSince}
    ) AS claim LEFT JOIN instance_constraint AS stored ON stored.instance_key = claim.instance_key
    WHERE claim.id <> ${id}::uuid AND (claim.is_open OR claim.has_landed)
      AND (claim.phase NOT IN ('asked', 'moving') OR claim.started_at IS NOT NULL
        -- Its project is at work on it.
        OR claim.phase = 'moving' AND claim.action = 'OWN_ACTION' AND claim.asked_at IS NOT NULL
        OR (claim.asked_at IS NULL, claim.created_at, claim.id) < (${askedAt === null}, ${createdAt}, ${id}::uuid))
  ) AS before
  WHERE "isInGroups" OR "isOntoTarget"`;
