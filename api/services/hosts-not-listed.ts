/** The blockers of hosts that the cloud no longer lists: the session fails or sets them aside, and plans lack them. */
import type { SessionHostRecord } from '../../prisma/hosts/session-hosts';
import type { SessionProgress } from '../../prisma/session/session-progress';
import { asOwnedHosts } from '../../prisma/snapshot/owned-hosts';
import { isDone } from '../../rules/planning/fleet/host-work';
import { failureOfHosts } from '../../rules/planning/fleet/set-aside-or-fail';
import type { Blocker } from '../../rules/simulation/plan/plan';

type Session = Pick<SessionProgress, 'id' | 'state' | 'maxFailedHosts'>;
type HostRow = Pick<SessionHostRecord, 'sessionId' | 'hostname' | 'phase' | 'failure'>;

interface LookAtHosts {
  /** The hosts of all sessions. */
  readonly hosts: readonly HostRow[];
  readonly cloudHosts: readonly { readonly name: string }[];
}

export const hostsNotListed = (session: Session, { hosts, cloudHosts }: LookAtHosts): readonly Blocker[] => {
  const own = hosts.filter(({ sessionId }) => sessionId === session.id);
  const goingOn = session.state === 'MAINTENANCE_FAILED' ? own.map(asResumed) : own;
  const listed = new Set(cloudHosts.map(({ name }) => name));
  const missing = goingOn.filter((row) => !listed.has(row.hostname) && !isDone(row));
  const fails = failureOfHosts(asOwnedHosts(goingOn, listed), session.maxFailedHosts ?? 0) !== undefined;
  return missing.map(({ hostname }) => notListed(hostname, fails));
};

/** Does for a row what `hostAsResumed` does for a host of the fleet. */
const asResumed = (row: HostRow): HostRow =>
  row.phase === 'set_aside' ? row : { ...row, phase: row.phase === 'failed' ? 'waiting' : row.phase, failure: null };

const notListed = (hostname: string, fails: boolean): Blocker => ({
  ...{ kind: 'host_not_listed', severity: fails ? 'stops' : 'delays', when: 'now', owner: 'operator' },
  subject: { kind: 'host', id: hostname, name: hostname },
  because:
    `the cloud does not list host ${hostname} any more, so the session ` +
    (fails ? 'fails' : 'sets it aside, as max_failed_hosts allows') +
    '; the plan leaves the host out',
  help: fails
    ? 'bring the host back; then continue the session if it has failed (PUT /v1/maintenance/{session_id})'
    : 'bring the host back; then POST /v1/maintenance/{session_id}/hosts/{hostname}/retry if it was set aside',
});
