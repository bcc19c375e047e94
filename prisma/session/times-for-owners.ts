/** The part of sessions that says when owners of instances may be impacted in them. */
import type { MaintenanceWindow } from '../../rules/maintenance-windows/maintenance-window';
import type { TimesOfSession } from '../../rules/maintenance-windows/session-calendar';
import type { OwnerHours } from '../../rules/owner-times/hours-ahead';
import type { Queryable } from '../database';

export interface TimesForOwners extends TimesOfSession {
  /** How far the session keeps the hours of owners; null: it keeps them. */
  readonly ownerHours: OwnerHours | null;
}

/** By the IDs of the sessions. */
export const findTimesOfSessions = async (
  db: Queryable,
  sessionIds: readonly string[],
): Promise<ReadonlyMap<string, TimesForOwners>> => {
  const rows = await db.session.findMany({
    where: { id: { in: [...sessionIds] } },
    select: { id: true, windows: true, ignoreFreezes: true, ownerHours: true },
  });
  // The columns hold what the API's parsers let in.
  return new Map(
    rows.map(({ id, windows, ignoreFreezes, ownerHours }) => [
      id,
      {
        windows: windows as unknown as readonly MaintenanceWindow[] | null,
        ignoreFreezes,
        ownerHours: ownerHours as unknown as OwnerHours | null,
      },
    ]),
  );
};
