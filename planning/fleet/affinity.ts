/** Anti-affinity: how many members of a group one host may hold. */
import type { Group } from './fleet';

/**
 * True when a host that holds this many members, resident or incoming, may take another. A host that is over its limit
 * already is tolerated, and takes none.
 */
export const mayHoldAnother = ({ maxInstancesPerHost }: Group, membersOnHost: number): boolean =>
  maxInstancesPerHost === undefined || membersOnHost < maxInstancesPerHost;
