/** How long an action may take before it is forced or has failed (docs/design/states.md). */
import type { Action } from '../../planning/fleet/fleet';
import { findInstanceConstraint } from '../../prisma/constraints/planning-constraints';
import type { Queryable } from '../../prisma/database';
import type { Services } from '../services';

export type ActionLimits = Pick<Services['limits'], 'liveMoveSeconds' | 'ownActionSeconds' | 'moveSeconds'>;

/** By the constraints of now: recorded as the action begins, since timers that run are not changed. */
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
      // lead_time is what the project says it needs for its operation (Instance constraints).
      return Math.max(limits.ownActionSeconds, constraint?.leadTime ?? 0);
    case 'MIGRATE':
    case 'EVICTION':
      return limits.moveSeconds;
  }
};
