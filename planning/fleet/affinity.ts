/** Anti-affinity: the number of members of a group that one host may hold. */
import type { Group } from './fleet';

/**
 * True when a host with this number of members, resident or incoming, may take another. A host that is over its limit
 * already is tolerated, and takes none.
 */
export function mayHoldAnother({ maxInstancesPerHost }: Group, membersOnHost: number): boolean {
  return maxInstancesPerHost === undefined || membersOnHost < maxInstancesPerHost;
}
