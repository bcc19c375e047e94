/** The hosts that sessions have in hand: those under work, and those that wait for their turn in a running session. */
import { Prisma } from '@prisma/client';
import type { RollingSession } from '../../rules/decisions/both-workflows/built-in-workflow';
import type { HostPhase } from '../../rules/decisions/fleet/fleet';
import type { Queryable } from '../database';
import type { HostRef } from './session-hosts';

export interface HostInHand extends HostRef, RollingSession {
  readonly phase: Extract<HostPhase, 'waiting' | 'emptying' | 'maintaining' | 'releasing'>;
  /** The start of its session is over. */
  readonly isBegun: boolean;
}

/** @param hostname left out: all */
export const findHostsInHand = (db: Queryable, hostname?: string): Promise<HostInHand[]> =>
  db.$queryRaw<HostInHand[]>`
    SELECT host.session_id AS "sessionId", host.hostname, host.phase, session.workflow, session.rolling,
           session.begun_at IS NOT NULL AS "isBegun"
    FROM session_host host JOIN session ON session.id = host.session_id
    WHERE session.deleted_at IS NULL
      AND ${hostname === undefined ? Prisma.sql`TRUE` : Prisma.sql`host.hostname = ${hostname}`}
      AND (host.phase IN ('emptying', 'maintaining', 'releasing')
        OR (host.phase = 'waiting' AND host.owned AND session.stopping IS NULL
          AND session.state NOT IN ('MAINTENANCE_FAILED', 'MAINTENANCE_DONE')))`;
