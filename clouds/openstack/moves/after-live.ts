/**
 * What Nova's last word about a live migration means while the server is on its source. The word may come late: with
 * libvirt the server is ACTIVE for a second before Nova sets it to ERROR. The server may also have been away and come
 * back since.
 */
import type { Database } from '../../../prisma/database';
import { BlockedRefusal } from '../../cloud-driver';
import { isOver } from '../content/unfinished-moves';
import type { NovaServer } from '../nova/answers';
import { type EndMarks, moveInWords, type NovaMove } from './move-log';
import type { Mover } from './mover';
import type { NovaRecords } from './nova-records';
import { resetState } from './reset-state';
import { hasBegun, isRolledBack, whereGuestIs } from './where-guest-is';
import { errorWords } from './why-failed';

/** Nova has set servers to ERROR 1.3 s after the first look that showed the migration as over. */
const settleSeconds = 5;

interface SeenOver {
  /** Since the first look that showed it as over. */
  readonly seconds: number;
  /** True when one look has shown that Nova rolled the migration back. */
  readonly rolledBack: boolean;
}

/** Writes down what this look shows, since the next one may be another process's, and may show less. */
export const noteOver = async (db: Database, move: NovaMove, isBack: boolean): Promise<SeenOver> => {
  const [seen] = await db.$queryRaw<SeenOver[]>`
    UPDATE openstack_move SET over_since = coalesce(over_since, clock_timestamp()),
           rolled_back = rolled_back OR ${isBack}
    WHERE id = ${move.id}::uuid
    RETURNING extract(epoch FROM clock_timestamp() - over_since)::float8 AS seconds, rolled_back AS "rolledBack"`;
  return seen ?? { seconds: settleSeconds, rolledBack: isBack };
};

/** False while a later look may show another state of the server, or while the migration goes on without its server. */
export const isSettled = async (
  { db }: Pick<Mover, 'db'>,
  move: NovaMove,
  { server, records }: { readonly server: NovaServer; readonly records: NovaRecords },
): Promise<boolean> => {
  const { migration } = records;
  if (migration === undefined || !hasBegun(records)) return true;
  if (!isOver(migration)) return false;
  const { seconds } = await noteOver(db, move, isRolledBack(records));
  return server.status === 'ERROR' || seconds >= settleSeconds;
};

const running = 1;

/** Why a server in ERROR is left to its owner. */
export interface LeftAlone {
  readonly reason: string;
  readonly marks: EndMarks;
}

/**
 * Resets the state of a server in ERROR whose guest never left its source.
 *
 * @returns undefined when that was done
 */
export const resetIfNeverLeft = async (
  mover: Mover,
  move: NovaMove,
  { server, records }: { readonly server: NovaServer; readonly records: NovaRecords },
): Promise<LeftAlone | undefined> => {
  const place = whereGuestIs(records, await noteOver(mover.db, move, isRolledBack(records)));
  const isThere = place === 'source' || (place === 'unsure' && (await mover.nova.isRunning(server.id)));
  if (!isThere) return { reason: mayBeAtTarget(move, server), marks: { mayHaveLeft: true } };
  if (server['OS-EXT-STS:power_state'] !== running) {
    return {
      reason: `${moveInWords(move)} failed: ${errorWords(server)}; it does not run on ${move.source}`,
      marks: {},
    };
  }
  return resetOrWhyNot(mover, server);
};

const resetOrWhyNot = async (mover: Mover, server: NovaServer): Promise<LeftAlone | undefined> => {
  try {
    await resetState(mover, server);
    return undefined;
  } catch (error) {
    if (!(error instanceof BlockedRefusal)) throw error;
    return { reason: error.message, marks: {} };
  }
};

const mayBeAtTarget = (move: NovaMove, server: NovaServer): string =>
  `${moveInWords(move)} had begun, and Nova shows the server in ERROR on ${move.source}: its guest may run on ` +
  `${move.target ?? 'another host'}. ${errorWords(server)}. Find out on which of the two hosts the guest runs before ` +
  'anybody resets, reboots or moves the server, because it could then run twice';

/** An admin who moves a server back each time wants it there. */
const mostComebacks = 3;

export interface Comeback {
  readonly reason: string;
  /** True when it was moved away and came back too often to be moved once more. */
  readonly isTooOften: boolean;
}

const movingActions: ReadonlySet<string> = new Set(['live-migration', 'migrate', 'evacuate', 'resize', 'revertResize']);

/** The migration has come to its good end, and the server is on its source: somebody has moved it back since. */
export const comebackOf = async ({ db, nova }: Mover, move: NovaMove): Promise<Comeback> => {
  const actions = await nova.listActions(move.instanceId);
  const since = actions.slice(
    0,
    Math.max(
      0,
      actions.findIndex(({ request_id: id }) => id === move.requestId),
    ),
  );
  const back = since.find(({ action }) => movingActions.has(action));
  const who = back === undefined ? '' : `: user ${back.user_id ?? 'unknown'} has moved it back (${back.action})`;
  const [row] = await db.$queryRaw<{ before: bigint }[]>`
    SELECT count(*) AS before FROM openstack_move AS other, openstack_move AS this
    WHERE this.id = ${move.id}::uuid AND other.instance_key = this.instance_key AND other.id <> this.id
      AND other.again AND NOT other.inconclusive AND other.created_at > clock_timestamp() - interval '1 day'`;
  const times = Number(row?.before ?? 0) + 1;
  const often = times === 1 ? '' : `, for the ${times}th time in a day`;
  return {
    reason: `${moveInWords(move)} was completed, and the server is on ${move.source} again${who}${often}`,
    isTooOften: times > mostComebacks,
  };
};
