/** The time after which an action is forced or has failed (docs/design/states.md). */
import { findInstanceConstraint } from '../../prisma/constraints/constraints-for-decisions';
import type { Queryable } from '../../prisma/database';
import type { StartTerms } from '../../prisma/moves/claims';
import type { Action } from '../../rules/decisions/fleet/fleet';
import type { Services } from '../services';

export type ActionLimits = Pick<Services['limits'], 'liveMoveSeconds' | 'ownActionSeconds' | 'moveSeconds'>;

/**
 * The limit by the present constraints. It is recorded when the action begins, since running timers are not changed.
 */
export const actionLimitOf = async (
  db: Queryable,
  limits: ActionLimits,
  { action, instanceId }: { readonly action: Action; readonly instanceId: string },
): Promise<Pick<StartTerms, 'limitSeconds' | 'limitByProject'>> => {
  const constraint = await findInstanceConstraint(db, instanceId);
  switch (action) {
    case 'LIVE_MIGRATE':
      if (constraint === null) return bySetting(limits.liveMoveSeconds);
      return { limitSeconds: constraint.maxInterruptionTime, limitByProject: true };
    case 'OWN_ACTION':
      // lead_time is the time that the project needs for its operation (Instance constraints).
      return bySetting(Math.max(limits.ownActionSeconds, constraint?.leadTime ?? 0));
    case 'MIGRATE':
    case 'EVICTION':
      return bySetting(limits.moveSeconds);
  }
};

const bySetting = (limitSeconds: number) => ({ limitSeconds, limitByProject: false });

/** The time for which an instance is waited for that the cloud is busy with: as long as its project has for a reply. */
export const busySecondsOf = async (
  db: Queryable,
  { projectReplySeconds }: Pick<Services['limits'], 'projectReplySeconds'>,
  { instanceId }: { readonly instanceId: string },
): Promise<number> => {
  const leadTime = (await findInstanceConstraint(db, instanceId))?.leadTime ?? 0;
  return leadTime > 0 ? leadTime : projectReplySeconds;
};
