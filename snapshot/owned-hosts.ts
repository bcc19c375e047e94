/** The hosts of a session from their rows: a snapshot lacks a host that the cloud no longer lists. */
import type { SessionHostRecord } from '../prisma/hosts/session-hosts';
import type { OwnedHost } from '../rules/decisions/fleet/set-aside-or-fail';

/** @param listed the names of the hosts that the cloud lists */
export const asOwnedHosts = (
  own: readonly Pick<SessionHostRecord, 'hostname' | 'phase' | 'failure'>[],
  listed: ReadonlySet<string>,
): OwnedHost[] =>
  own.map(({ hostname: name, phase, failure }) => ({
    name,
    work: { phase, ...(failure !== null && { failure }) },
    isListed: listed.has(name),
  }));
