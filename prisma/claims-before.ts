/** The claims that come before another one: what its action has to leave room for when it is about to begin. */
import type { ClaimRecord } from './claims';
import type { Queryable } from './database';

export interface ClaimBefore {
  readonly instanceId: string;
  readonly groupKey: string;
  readonly target: string;
  readonly vcpus: number;
  readonly memoryMb: number;
  /** Asked or moving; else its group recovers. */
  readonly isInFlight: boolean;
  /** Counts in the group that was asked for. */
  readonly isInGroup: boolean;
}

/**
 * Open claims of all sessions in the group or onto the claim's target: those whose action has begun, and of the others
 * those that were admitted earlier, so that of several that do not go together exactly the later ones are put off.
 */
export const findClaimsBefore = async (
  db: Queryable,
  { id, createdAt, target }: ClaimRecord,
  groupKey: string,
): Promise<ClaimBefore[]> => db.$queryRaw<ClaimBefore[]>`
  SELECT * FROM (
    SELECT claim.instance_id::text AS "instanceId", claim.group_key AS "groupKey", claim.target, claim.vcpus,
           claim.memory_mb AS "memoryMb", claim.phase <> 'recovering' AS "isInFlight",
           -- An instance that was put into another group meanwhile counts in both.
           claim.group_key = ${groupKey} OR stored.group_id::text IS NOT DISTINCT FROM ${groupKey} AS "isInGroup"
    FROM claim LEFT JOIN instance_constraint AS stored ON stored.instance_id = claim.instance_id
    WHERE claim.id <> ${id}::uuid AND claim.phase IN ('asked', 'moving', 'recovering')
      AND (claim.phase <> 'recovering' OR claim.recovers_at > clock_timestamp())
      AND (claim.phase = 'recovering' OR claim.started_at IS NOT NULL
        OR (claim.created_at, claim.id) < (${createdAt}, ${id}::uuid))
  ) AS before
  WHERE "isInGroup" OR target = ${target}`;
