/** The queue of a group for its budget, and what a host has in it. */
import type { Group } from '../fleet/fleet';

export interface GroupQueue {
  readonly group: Group;
  /** Members that are impacted, or wait on hosts that are being emptied. */
  readonly length: number;
}

/** Members of a group that a host holds, reserved places included. */
export interface HostShare {
  readonly queue: GroupQueue;
  readonly members: number;
}
