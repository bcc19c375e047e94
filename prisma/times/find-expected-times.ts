/** The one way to what is expected of a session's times, for who plans it before it exists, or while it runs. */
import type { UsualTimes } from '../../rules/decisions/fleet/usual-times';
import { type ExpectedTimes, expectedTimes } from '../../rules/expectations/expected-times';
import { asTimedPlugin } from '../../rules/expectations/plugins-of-host';
import type { Queryable } from '../database';
import { findSeenMaintenances, type MaintenanceToPlan } from './maintenance-times';
import { findSeenAnswers, findSeenMoves } from './project-times';

/** @param usual the settings: what is expected where nothing like it was seen */
export const findExpectedTimes = async (
  db: Queryable,
  session: MaintenanceToPlan,
  usual: UsualTimes,
): Promise<ExpectedTimes> => {
  const maintenances = await findSeenMaintenances(db, session);
  const moves = await findSeenMoves(db);
  const answers = await findSeenAnswers(db);
  return expectedTimes({ maintenances, moves, answers }, usual, session.actions.map(asTimedPlugin));
};
