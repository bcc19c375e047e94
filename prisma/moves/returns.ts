/** How often instances that were moved off a disabled host had been made there after it was disabled. */
import type { MembersReturned } from '../../rules/decisions/fleet/fleet';
import type { Queryable } from '../database';

/** Of the sessions that own hosts, over all of their hosts. */
export const findReturns = (db: Queryable): Promise<MembersReturned[]> => db.$queryRaw<MembersReturned[]>`
  SELECT claim.session_id::text AS "sessionId", claim.group_key AS "groupKey", count(*)::int AS times
  FROM claim
  JOIN session_host AS host
    ON host.session_id = claim.session_id AND host.hostname = claim.source AND host.owned AND host.disabled
  JOIN session_instance AS instance
    ON instance.session_id = claim.session_id AND instance.instance_key = claim.instance_key
  WHERE claim.outcome = 'gone' AND instance.created_at > host.disabled_at
  GROUP BY claim.session_id, claim.group_key`;
