import type { Fleet } from './fleet';

/** Whether an order exists in which all of these hosts can be emptied, maintained and enabled. */
export function canAllEnd(_fleet: Fleet, _hostsUnderWork: readonly string[]): boolean {
  throw new RangeError('not decided yet');
}
