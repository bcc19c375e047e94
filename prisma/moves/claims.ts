/** Claims: permissions to impact an instance. A claim outlives its session until the group has recovered. */
import type { Amounts } from '../../rules/cloud/amounts';
import { type IdKey, keyOf } from '../../rules/cloud/id';
import type { Action } from '../../rules/decisions/fleet/fleet';
import type { ExpiredOwnAction, StepByAnswer } from '../../rules/questions/action-by-answer';
import type { ClaimOutcome } from '../../rules/steps/claim-step';
import { databaseNow, type Queryable, type Transaction } from '../database';

export interface ClaimRecord {
  readonly id: string;
  readonly sessionId: string;
  readonly instanceId: string;
  readonly instanceName: string;
  readonly projectId: string;
  readonly groupKey: string;
  /** The other limits that count it, beside its group's. */
  readonly furtherLimitKeys: readonly string[];
  readonly source: string;
  readonly target: string;
  readonly action: Action;
  readonly amounts: Amounts;
  readonly phase: 'asked' | 'moving' | 'recovering' | 'closed';
  readonly recoveryTime: number;
  readonly createdAt: Date;
  /** The time when its instance's own question was admitted; null when no question is asked. */
  readonly askedAt: Date | null;
  /** The time when the instance's constraints under which it was granted were stored; null: none were. */
  readonly constraintsAt: Date | null;
  readonly startedAt: Date | null;
  /** The seconds that its action may take, since it has begun; null when it has not. */
  readonly limitSeconds: number | null;
  /** True when the instance's project has set this limit. */
  readonly limitByProject: boolean;
  readonly forcedAt: Date | null;
  readonly endedAt: Date | null;
  readonly recoversAt: Date | null;
  readonly outcome: ClaimOutcome | null;
  readonly failure: string | null;
}

/** A claim whose action has begun, or is over. `recordActionStart` writes both columns. */
export type BegunClaim = ClaimRecord & { readonly startedAt: Date; readonly limitSeconds: number };

export const isBegun = (claim: ClaimRecord): claim is BegunClaim => claim.startedAt !== null;

const active = { in: ['asked', 'moving'] };

/** True when nobody watches the move of the claim: the move ended, or its session was aborted, failed or deleted. */
export const isClaimOver = async (db: Queryable, claimId: string): Promise<boolean> =>
  (await db.claim.count({ where: { id: claimId, phase: { notIn: active.in } } })) > 0;

export const findClaim = async (db: Queryable, claimId: string): Promise<ClaimRecord | null> => {
  const row = await db.claim.findUnique({ where: { id: claimId } });
  return row as ClaimRecord | null;
};

/** Closes the claims that have recovered by now, so that their instances may have new ones. */
export const closeRecoveredClaims = async (tx: Queryable, now: Date): Promise<void> => {
  // One order, because several sessions may look at the same time.
  await tx.$executeRaw`
    WITH over AS (
      SELECT id FROM claim WHERE phase = 'recovering' AND recovers_at <= ${now} ORDER BY id FOR UPDATE
    )
    UPDATE claim SET phase = 'closed' FROM over WHERE claim.id = over.id`;
};

/** Open claims of all sessions. A claim that has recovered by now counts as closed. */
export const findOpenClaims = async (db: Queryable, now: Date): Promise<ClaimRecord[]> => {
  const isRecovering = [{ recoversAt: null }, { recoversAt: { gt: now } }];
  const rows = await db.claim.findMany({
    where: { OR: [{ phase: active }, { phase: 'recovering', OR: isRecovering }] },
  });
  return rows as ClaimRecord[];
};

/** The session's claims whose action is not over (asked or moving), or only those from one host when it is named. */
export const findActiveClaims = async (
  db: Queryable,
  scope: { readonly sessionId: string; readonly source?: string },
): Promise<ClaimRecord[]> => {
  const rows = await db.claim.findMany({
    where: { ...scope, phase: active },
    orderBy: [{ createdAt: 'asc' }, { id: 'asc' }],
  });
  return rows as ClaimRecord[];
};

/** Instances that some session's claim allows to be impacted. */
export const findInstancesUnderAction = async (db: Queryable): Promise<ReadonlySet<IdKey>> => {
  const rows = await db.claim.findMany({ where: { phase: active }, select: { instanceId: true } });
  return new Set(rows.map(({ instanceId }) => keyOf(instanceId)));
};

/** True when an instance is to move to the host, by any session's claim. */
export const isAnythingOnItsWayTo = async (db: Queryable, hostname: string): Promise<boolean> =>
  (await db.claim.count({ where: { target: hostname, phase: active } })) > 0;

/**
 * The changes that a cloud's list from before this time does not show: the new host of an instance, or that it is gone.
 */
export type Landing = { readonly instanceId: string } & (
  { readonly kind: 'landed'; readonly host: string } | { readonly kind: 'gone' }
);

/** The instances whose action ended after this time, in the order of the ends. */
export const findLandings = async (db: Queryable, since: Date): Promise<Landing[]> => {
  const rows = await db.claim.findMany({
    where: { outcome: { in: ['done', 'gone'] }, endedAt: { gte: since } },
    select: { instanceId: true, target: true, outcome: true },
    orderBy: { endedAt: 'asc' },
  });
  return rows.map(({ instanceId, target, outcome }) =>
    outcome === 'gone' ? { instanceId, kind: 'gone' } : { instanceId, kind: 'landed', host: target },
  );
};

/** Finds, by instance, the newest OWN_ACTION that its project chose in this session and did not carry out in time. */
export const findExpiredOwnActions = async (
  db: Queryable,
  sessionId: string,
): Promise<ReadonlyMap<IdKey, ExpiredOwnAction>> => {
  const rows = await db.claim.findMany({
    where: { sessionId, outcome: 'expired' },
    select: { instanceId: true, source: true, endedAt: true },
    orderBy: { endedAt: 'asc' },
  });
  return new Map(
    rows.map(({ instanceId, source: hostname, endedAt }) => [
      keyOf(instanceId),
      { hostname, endedAtMs: endedAt?.getTime() ?? 0 },
    ]),
  );
};

export type NewClaim = Pick<
  ClaimRecord,
  | 'id'
  | 'sessionId'
  | 'instanceId'
  | 'instanceName'
  | 'projectId'
  | 'groupKey'
  | 'furtherLimitKeys'
  | 'source'
  | 'target'
  | 'action'
  | 'amounts'
  | 'recoveryTime'
  | 'constraintsAt'
> & {
  /** asked: its instance's own question comes first. moving: its action begins at once. */
  readonly phase: 'asked' | 'moving';
};

/**
 * Sends one parameter: the values of thousands of rows one by one would occupy the process for seconds, under the lock.
 * @param now the time of the claims' admission
 */
export const insertClaims = async (tx: Queryable, claims: readonly NewClaim[], now: Date): Promise<void> => {
  if (claims.length === 0) return;
  await tx.$executeRaw`
    INSERT INTO claim (id, session_id, instance_id, instance_name, project_id, group_key, further_limit_keys, source,
      target, action, amounts, recovery_time, constraints_at, phase, created_at, asked_at)
    SELECT r.id, r."sessionId", r."instanceId", r."instanceName", r."projectId", r."groupKey", r."furtherLimitKeys",
      r.source, r.target, r.action, r.amounts, r."recoveryTime", r."constraintsAt", r.phase, ${now}::timestamptz,
      CASE WHEN r.phase = 'asked' THEN ${now}::timestamptz END
    FROM jsonb_to_recordset(${JSON.stringify(claims)}::jsonb) AS r(id uuid, "sessionId" uuid, "instanceId" text,
      "instanceName" text, "projectId" text, "groupKey" text, "furtherLimitKeys" text[], source text, target text,
      action text, amounts jsonb, "recoveryTime" int, "constraintsAt" timestamptz(3), phase text)`;
};

/** Locks those of these claims whose action is not over, in the order of their IDs, until the transaction ends. */
export const lockClaims = async (
  tx: Transaction,
  claimIds: readonly string[],
): Promise<Pick<ClaimRecord, 'id' | 'phase' | 'action'>[]> => {
  if (claimIds.length === 0) return [];
  return tx.$queryRaw`
    SELECT id, phase, action FROM claim
    WHERE id = ANY(${[...claimIds]}::uuid[]) AND phase IN ('asked', 'moving') ORDER BY id FOR UPDATE`;
};

/** Locks the open claims of these instances: their actions begin before that, or by what is written after it. */
export const lockClaimsOf = async (
  tx: Transaction,
  sessionId: string,
  instanceIds: readonly string[],
): Promise<void> => {
  await tx.$queryRaw`
    SELECT id FROM claim
    WHERE session_id = ${sessionId}::uuid AND instance_key = ANY(${instanceIds.map(keyOf)}) AND phase IN ('asked', 'moving')
    ORDER BY id FOR UPDATE`;
};

export type StepOfClaim = StepByAnswer & { readonly claimId: string };

/**
 * Writes what follows from the questions of claims that are locked, unless their actions have begun or ended. Then an
 * action may begin without another admission, or its claim waits for an answer, as when it was asked.
 */
export const recordSteps = async (tx: Transaction, steps: readonly StepOfClaim[]): Promise<void> => {
  if (steps.length === 0) return;
  await tx.$executeRaw`
    UPDATE claim SET phase = r.phase, action = coalesce(r.action, claim.action)
    FROM jsonb_to_recordset(${JSON.stringify(steps)}::jsonb) AS r("claimId" uuid, phase text, action text)
    WHERE claim.id = r."claimId" AND claim.phase IN ('asked', 'moving') AND claim.started_at IS NULL`;
};

/** The run of a host's workflow that begins a claim's action. */
export interface Beginner {
  readonly claimId: string;
  readonly sessionId: string;
  readonly hostname: string;
  readonly runId: string;
}

export interface StartTerms extends Pick<ClaimRecord, 'recoveryTime'> {
  readonly limitSeconds: number;
  readonly limitByProject: boolean;
}

/**
 * Begins the action, unless it has begun or ended, its host is not being drained any more, another run works on it, or
 * its session may not begin anything (`mayBegin`). One statement, which shares the session's row with decisions. An
 * admin's request and a deletion wait for it, or it waits for them (`lockSessionAndBeginnings`).
 *
 * @param terms by the present constraints, which may have changed since the claim was granted
 * @returns the time when it began, since limits count from then on
 */
export const recordActionStart = async (
  tx: Transaction,
  { claimId, sessionId, hostname, runId }: Beginner,
  { recoveryTime, limitSeconds, limitByProject }: StartTerms,
): Promise<Date | undefined> => {
  const rows = await tx.$queryRaw<{ startedAt: Date }[]>`
    WITH begun AS (
      UPDATE claim SET started_at = clock_timestamp(), recovery_time = ${recoveryTime},
        limit_seconds = ${limitSeconds}, limit_by_project = ${limitByProject}
      WHERE id = ${claimId}::uuid AND phase = 'moving' AND started_at IS NULL
        AND EXISTS (SELECT 1 FROM session_host WHERE session_id = ${sessionId}::uuid AND hostname = ${hostname}
          AND phase = 'emptying' AND run_id = ${runId})
        AND EXISTS (SELECT 1 FROM session WHERE id = ${sessionId}::uuid
          AND paused_at IS NULL AND stopping IS NULL AND abort_requested_at IS NULL AND delete_requested_at IS NULL
          AND ((windows IS NULL AND window_opens_at IS NULL AND window_problem IS NULL)
            OR (window_opens_at <= clock_timestamp()
              AND (window_closes_at IS NULL OR clock_timestamp() < window_closes_at))) FOR KEY SHARE)
      RETURNING session_id, instance_key, action, started_at
    ), noted AS (
      UPDATE session_instance SET action = begun.action, action_done = false, updated_at = begun.started_at FROM begun
      WHERE session_instance.session_id = begun.session_id AND session_instance.instance_key = begun.instance_key
    )
    SELECT started_at AS "startedAt" FROM begun`;
  return rows[0]?.startedAt;
};

/** The begun action has waited for the cloud: it begins now. @returns the time */
export const recordBegunAnew = async (
  db: Queryable,
  claimId: string,
  start: 'startMove' | 'forceMove',
): Promise<Date> => {
  const now = await databaseNow(db);
  const [time, isBegun] =
    start === 'forceMove'
      ? [{ forcedAt: now }, { forcedAt: { not: null } }]
      : [{ startedAt: now }, { startedAt: { not: null } }];
  await db.claim.updateMany({ where: { id: claimId, phase: 'moving', ...isBegun }, data: time });
  return now;
};

/** False when it was recorded before. */
export const recordForced = async (tx: Queryable, claimId: string): Promise<boolean> => {
  const { count } = await tx.claim.updateMany({
    where: { id: claimId, phase: 'moving', forcedAt: null },
    data: { forcedAt: await databaseNow(tx) },
  });
  return count === 1;
};
