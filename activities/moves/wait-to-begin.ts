/**
 * The wait of an action whose cloud says that it may begin later: the cloud is busy with the instance, or a host has as
 * many moves in flight as it may. Nothing has begun in the cloud.
 */
import type { LaterMove } from '../../clouds/cloud-driver';
import { databaseNow } from '../../prisma/database';
import { findSessionHost } from '../../prisma/hosts/session-hosts';
import { changeInstance } from '../../prisma/hosts/session-instances';
import { recordBegunAnew } from '../../prisma/moves/claims';
import { mayBeginIn } from '../../prisma/session/may-begin';
import { heldUp } from '../../rules/obstacles/held-up-move';
import type { Services } from '../services';
import { busySecondsOf } from './action-limit';
import type { MoveWatch } from './watched-move';

export interface WaitToBegin {
  /** False when the action is to be put off, so that the rules decide again. */
  mayGoOn(status: LaterMove): Promise<boolean>;
  /** @returns the new time of the beginning; undefined when there was no wait */
  end(): Promise<Date | undefined>;
}

/**
 * The milliseconds between two notes: the successor of a killed worker counts the limit from a time at most this old.
 */
const recordEveryMs = 30_000;

export const openWait = (
  { db, limits }: Pick<Services, 'db' | 'limits'>,
  { claim, start }: Pick<MoveWatch, 'claim' | 'start'>,
): WaitToBegin => {
  let busySince: Date | undefined;
  let recorded: Date | undefined;
  let told: string | undefined;
  const record = async () => (recorded = await recordBegunAnew(db, claim.id, start));
  return {
    async mayGoOn({ because, waitsFor }) {
      const host = await findSessionHost(db, { sessionId: claim.sessionId, hostname: claim.source });
      if (host?.phase !== 'emptying' || !(await mayBeginIn(db, claim.sessionId))) return false;
      const now = await databaseNow(db);
      busySince = waitsFor === 'instance' ? (busySince ?? now) : undefined;
      if (told !== because) await changeInstance(db, claim, { ...heldUp(because, now), updatedAt: now });
      told = because;
      if (recorded === undefined || now.getTime() - recorded.getTime() > recordEveryMs) await record();
      // Hosts become free by moves that have limits of their own.
      if (busySince === undefined) return true;
      return now.getTime() - busySince.getTime() < (await busySecondsOf(db, limits, claim)) * 1000;
    },
    async end() {
      if (told === undefined) return undefined;
      await changeInstance(db, claim, { details: null, updatedAt: await databaseNow(db) });
      return record();
    },
  };
};
