/** The names and the last moves of some instances of a session, for those who tell its events. */
import type { IdKey } from '../../rules/cloud/id';
import type { Queryable } from '../database';

export interface InstanceName {
  readonly instanceKey: string;
  readonly instanceName: string;
}

/** A move that was carried out. */
export interface EndedMove {
  readonly instanceKey: string;
  /** Empty: its project chose the place. */
  readonly target: string;
  readonly startedAt: Date;
  readonly endedAt: Date;
}

interface InstancesToName {
  readonly sessionId: string;
  readonly keys: readonly IdKey[];
}

export const findInstanceNames = (db: Queryable, { sessionId, keys }: InstancesToName): Promise<InstanceName[]> =>
  db.sessionInstance.findMany({
    where: { sessionId, instanceKey: { in: [...keys] } },
    select: { instanceKey: true, instanceName: true },
  });

interface MovesToTell extends InstancesToName {
  /** The times between which the moves have ended. */
  readonly from: Date;
  readonly to: Date;
}

/** The newest first. */
export const findEndedMoves = async (
  db: Queryable,
  { sessionId, keys, from, to }: MovesToTell,
): Promise<EndedMove[]> => {
  const endedAt = { gte: from, lte: to };
  const claims = await db.claim.findMany({
    where: { sessionId, instanceKey: { in: [...keys] }, outcome: 'done', startedAt: { not: null }, endedAt },
    select: { instanceKey: true, target: true, startedAt: true, endedAt: true },
    orderBy: { endedAt: 'desc' },
  });
  return claims.flatMap(({ startedAt, endedAt, ...claim }) =>
    startedAt === null || endedAt === null ? [] : [{ ...claim, startedAt, endedAt }],
  );
};
