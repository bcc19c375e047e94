/** The time after which an action is forced or has failed (docs/design/states.md). */
import type { Action } from '../../planning/fleet/fleet';
import { findInstanceConstraint } from '../../prisma/constraints/planning-constraints';
import type { Queryable } from '../../prisma/database';
import type { Services } from '../services';

export type ActionLimits = Pick<Services['limits'], 'liveMoveSeconds' | 'ownActionSeconds' | 'moveSeconds'>;

/** By the present constraints. Recorded when the action begins, since running timers are not changed. */
export const actionLimitOf = async (
  db: Queryable,
  limits: ActionLimits,
  { action, instanceId }: { readonly action: Action; readonly instanceId: string },
): Promise<number> => {
  const constraint = await findInstanceConstraint(db, instanceId);
  switch (action) {
    case 'LIVE_MIGRATE':
      return constraint?.maxInterruptionTime ?? limits.liveMoveSeconds;
    case 'OWN_ACTION':
      // lead_time is the time that the project needs for its operation (Instance constraints).
      return Math.max(limits.ownActionSeconds, constraint?.leadTime ?? 0);
    case 'MIGRATE':
    case 'EVICTION':
      return limits.moveSeconds;
  }
};
