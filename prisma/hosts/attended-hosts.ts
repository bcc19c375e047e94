/**
 * Hosts whose drain a worker attends (activities/hosts/attend-host.ts). The worker looks at the rows of all its hosts
 * in one query, again and again, so that no host's workflow has to be told what happened.
 */
import type { Queryable } from '../database';
import type { HostRef } from './session-hosts';

/** What may give the work on a host something to do. */
export interface HostLook extends HostRef {
  /** Changes with the host's phase, and with what its session may begin. */
  readonly controls: string;
  /** Claims that are granted and have not begun. */
  readonly granted: readonly string[];
  /** Questions, their standing and the time of their answer: a text that was not there at the look before is news. */
  readonly questions: readonly string[];
}

/** Runs several times a second, so it is one query that uses indexes. A host whose row is gone is not in the answer. */
export const lookAtAttended = async (db: Queryable, hosts: readonly HostRef[]): Promise<HostLook[]> => {
  if (hosts.length === 0) return [];
  const [sessionIds, hostnames] = [hosts.map(({ sessionId }) => sessionId), hosts.map(({ hostname }) => hostname)];
  return db.$queryRaw<HostLook[]>`
    SELECT host.session_id AS "sessionId", host.hostname,
      concat_ws(' ', host.phase, host.skip_reason, session.state, session.paused_at, session.stopping,
        session.abort_requested_at, session.delete_requested_at, session.window_opens_at, session.window_closes_at,
        session.window_problem, session.deleted_at) AS controls,
      ARRAY(SELECT claim.id::text FROM claim WHERE claim.session_id = host.session_id AND source = host.hostname
        AND claim.phase = 'moving' AND started_at IS NULL) AS granted,
      ARRAY(
        SELECT concat_ws(' ', claim.id, asked.standing) FROM claim
        CROSS JOIN LATERAL (SELECT concat_ws(' ', bool_or(status = 'open'), max(answered_at)) AS standing
          FROM question WHERE claim_id = claim.id) AS asked
        WHERE claim.session_id = host.session_id AND source = host.hostname AND claim.phase = 'asked'
        UNION ALL
        SELECT concat_ws(' ', question.id, question.status, answered_at) FROM question
        WHERE question.session_id = host.session_id AND question.hostname = host.hostname
          AND question.claim_id IS NULL AND question.closed_at IS NULL
      ) AS questions
    FROM unnest(${sessionIds}::uuid[], ${hostnames}::text[]) AS attended(session_id, hostname)
    JOIN session_host AS host USING (session_id, hostname) JOIN session ON session.id = host.session_id`;
};

/** Says that a worker attends the host for so long from now. */
export const recordAttended = async (
  db: Queryable,
  { sessionId, hostname }: HostRef,
  milliseconds: number,
): Promise<void> => {
  await db.$executeRaw`
    UPDATE session_host SET attended_until = clock_timestamp() + ${milliseconds} * interval '1 ms'
    WHERE session_id = ${sessionId}::uuid AND hostname = ${hostname}`;
};

/**
 * Says the same of all hosts of a worker once more. Leaves out rows that are locked, until the next time: it would hold
 * others while it waits, and a decision that changes several hosts may wait for these.
 */
export const recordStillAttended = async (
  db: Queryable,
  hosts: readonly HostRef[],
  milliseconds: number,
): Promise<void> => {
  const [sessionIds, hostnames] = [hosts.map(({ sessionId }) => sessionId), hosts.map(({ hostname }) => hostname)];
  await db.$executeRaw`
    WITH free AS (
      SELECT host.id FROM session_host AS host
      JOIN unnest(${sessionIds}::uuid[], ${hostnames}::text[]) AS attended(session_id, hostname)
        USING (session_id, hostname)
      FOR NO KEY UPDATE OF host SKIP LOCKED
    )
    UPDATE session_host AS host SET attended_until = clock_timestamp() + ${milliseconds} * interval '1 ms'
    FROM free WHERE host.id = free.id`;
};

/** Tells the host's workflow again, from now on, what happens. */
export const recordUnattended = async (db: Queryable, { sessionId, hostname }: HostRef): Promise<void> => {
  await db.sessionHost.updateMany({ where: { sessionId, hostname }, data: { attendedUntil: null } });
};

export const isAttended = async (db: Queryable, { sessionId, hostname }: HostRef): Promise<boolean> => {
  const rows = await db.$queryRaw<unknown[]>`
    SELECT 1 FROM session_host WHERE session_id = ${sessionId}::uuid AND hostname = ${hostname}
      AND attended_until > clock_timestamp()`;
  return rows.length > 0;
};
