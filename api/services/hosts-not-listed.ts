/**
 * The blockers of hosts that the cloud no longer lists: the session fails, sets them aside or is done with them, and
 * plans lack them.
 */
import type { SessionHostRecord } from '../../prisma/hosts/session-hosts';
import type { SessionProgress } from '../../prisma/session/session-progress';
import { isDone } from '../../rules/decisions/fleet/host-work';
import { failureOfHosts } from '../../rules/decisions/fleet/set-aside-or-fail';
import { type Blocker, blocker } from '../../rules/obstacles/blockers';
import { asOwnedHosts } from '../../snapshot/owned-hosts';

type Session = Pick<SessionProgress, 'id' | 'state' | 'maxFailedHosts'>;
type HostRow = Pick<SessionHostRecord, 'sessionId' | 'hostname' | 'phase' | 'failure'>;

interface LookAtHosts {
  /** The hosts of all sessions. */
  readonly hosts: readonly HostRow[];
  readonly cloudHosts: readonly { readonly name: string }[];
  /** See `CloudLists.hostsLeave`. */
  readonly hostsLeave?: true | undefined;
}

export const hostsNotListed = (
  session: Session,
  { hosts, cloudHosts, hostsLeave }: LookAtHosts,
): readonly Blocker[] => {
  const own = hosts.filter(({ sessionId }) => sessionId === session.id);
  const goingOn = session.state === 'MAINTENANCE_FAILED' ? own.map(asContinued) : own;
  const listed = new Set(cloudHosts.map(({ name }) => name));
  const missing = goingOn.filter((row) => !listed.has(row.hostname) && !isDone(row));
  const fails = failureOfHosts(asOwnedHosts(goingOn, listed), session.maxFailedHosts ?? 0) !== undefined;
  const asFailed = fails ? 'failure' : 'setAside';
  const becomes = hostsLeave === true ? 'leftOut' : asFailed;
  return missing.map(({ hostname }) => blocker('host_not_listed', { hostname, becomes }));
};

/** Does for a row what `hostAsContinued` does for a host of the fleet. */
const asContinued = (row: HostRow): HostRow =>
  row.phase === 'set_aside' ? row : { ...row, phase: row.phase === 'failed' ? 'waiting' : row.phase, failure: null };
