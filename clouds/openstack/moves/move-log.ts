/**
 * The driver's log of moves (table openstack_move). Nova knows no claims, so the log keeps each request to Nova with
 * its claim. A row is written before Nova is asked (posting), so that the successor of a killed process knows of the
 * request.
 */
import type { Prisma } from '@prisma/client';
import { type Database, inTransaction } from '../../../prisma/database';
import { type IdKey, keyOf } from '../../../rules/cloud/id';
import type { LaterMove, MoveStatus } from '../../cloud-driver';
import { lockSlots, waitForSlot } from './host-slots';

export interface NovaMove {
  readonly id: string;
  readonly claimId: string;
  readonly forced: boolean;
  readonly instanceId: string;
  readonly instanceName: string;
  readonly action: string;
  readonly source: string;
  readonly target: string | null;
  /** posting | running | done | failed | refused | gone */
  readonly status: string;
  readonly novaTime: Date;
  /** Requests for actions on the server that Nova knew before: none of them is this move. */
  readonly knownRequests: readonly string[];
  readonly requestId: string | null;
  readonly landedOn: string | null;
  /** See live-progress.ts. */
  readonly queued: boolean;
  readonly ranAt: Date | null;
  readonly leastLeft: bigint | null;
  readonly progressAt: Date | null;
  readonly failure: string | null;
  readonly blocked: boolean;
  /** See after-live.ts. */
  readonly overSince: Date | null;
  readonly rolledBack: boolean;
  readonly mayHaveLeft: boolean;
  readonly inconclusive: boolean;
  readonly again: boolean;
  readonly createdAt: Date;
}

export type NewNovaMove = Pick<
  NovaMove,
  'claimId' | 'forced' | 'instanceId' | 'instanceName' | 'action' | 'source' | 'target' | 'novaTime' | 'knownRequests'
>;

const open = { in: ['posting', 'running'] };

/** The claim's newest move: the forced one where there is one. */
export const newestMoveOf = async (db: Database, claimId: string): Promise<NovaMove | undefined> =>
  (await db.openstackMove.findFirst({ where: { claimId }, orderBy: { forced: 'desc' } })) ?? undefined;

export const openMoveOf = async (db: Database, instanceId: string): Promise<NovaMove | undefined> =>
  (await db.openstackMove.findFirst({ where: { instanceKey: keyOf(instanceId), status: open } })) ?? undefined;

/** The servers that this service is moving, whoever watches the moves. */
export const findMovedServers = async (db: Database): Promise<ReadonlySet<IdKey>> => {
  const moves = await db.openstackMove.findMany({ where: { status: open }, select: { instanceId: true } });
  return new Set(moves.map(({ instanceId }) => keyOf(instanceId)));
};

/** The newest of these moves counts. One of long ago says nothing about a server that is in ERROR today. */
export const findMayHaveLeft = async (
  db: Database,
): Promise<ReadonlyMap<IdKey, Pick<NovaMove, 'source' | 'target'>>> => {
  const rows = await db.$queryRaw<Pick<NovaMove, 'instanceId' | 'source' | 'target'>[]>`
    SELECT instance_id AS "instanceId", source, target FROM openstack_move
    WHERE may_have_left AND created_at > clock_timestamp() - interval '30 days' ORDER BY created_at`;
  return new Map(rows.map(({ instanceId, source, target }) => [keyOf(instanceId), { source, target }]));
};

/** The seconds in which a process must have asked Nova once. After them, others consider the process dead. */
const postingSeconds = 60;

/**
 * Logs that this process is about to ask Nova, unless its hosts have as many moves in flight as they may.
 * @returns undefined when the claim has such a move already, or the instance has another open one
 */
export const logPosting = (
  db: Database,
  move: NewNovaMove,
  movesPerHost: number,
): Promise<NovaMove | LaterMove | undefined> =>
  inTransaction(db, async (tx) => {
    const slots = { ...move, target: move.target ?? move.source, movesPerHost };
    if (move.action !== 'OWN_ACTION' || move.forced) {
      if (movesPerHost > 0) await lockSlots(tx, slots);
      const wait = await waitForSlot(tx, slots);
      if (wait !== undefined) return wait;
    }
    const rows = await tx.$queryRaw<{ id: string }[]>`
      INSERT INTO openstack_move (id, claim_id, forced, instance_id, instance_name, action, source, target, status,
                                  posting_until, nova_time, known_requests)
      VALUES (gen_random_uuid(), ${move.claimId}::uuid, ${move.forced}, ${move.instanceId}, ${move.instanceName},
              ${move.action}, ${move.source}, ${move.target}, 'posting',
              clock_timestamp() + make_interval(secs => ${postingSeconds}), ${move.novaTime},
              ${[...move.knownRequests]})
      ON CONFLICT DO NOTHING RETURNING id::text`;
    const [row] = rows;
    return row === undefined ? undefined : tx.openstackMove.findUniqueOrThrow({ where: { id: row.id } });
  });

/** True when this process may now ask Nova: the process that started the move must have given up, or be dead. */
export const takeOverPosting = async (db: Database, move: NovaMove): Promise<boolean> => {
  const taken = await db.$executeRaw`
    UPDATE openstack_move SET posting_until = clock_timestamp() + make_interval(secs => ${postingSeconds})
    WHERE id = ${move.id}::uuid AND status = 'posting' AND posting_until < clock_timestamp()`;
  return taken === 1;
};

/**
 * Logs that Nova is asked again for a move that it accepted and did not carry out. False when another process does so
 * already.
 */
export const postAgain = async (
  db: Database,
  move: NovaMove,
  { novaTime, knownRequests }: Pick<NovaMove, 'novaTime' | 'knownRequests'>,
): Promise<boolean> => {
  const taken = await db.$executeRaw`
    UPDATE openstack_move SET status = 'posting', request_id = NULL, nova_time = ${novaTime},
           known_requests = ${[...knownRequests]}, over_since = NULL, rolled_back = false,
           posting_until = clock_timestamp() + make_interval(secs => ${postingSeconds})
    WHERE id = ${move.id}::uuid AND status = 'running' AND request_id IS NOT DISTINCT FROM ${move.requestId}`;
  return taken === 1;
};

/** Nova gave no clear answer: the next observer finds out. */
export const giveUpPosting = async (db: Database, move: NovaMove): Promise<void> => {
  await db.$executeRaw`
    UPDATE openstack_move SET posting_until = clock_timestamp() WHERE id = ${move.id}::uuid AND status = 'posting'`;
};

/** Nova refused the move, or was never asked: the move does not exist. */
export const forgetMove = async (db: Database, move: NovaMove): Promise<void> => {
  await db.openstackMove.deleteMany({ where: { id: move.id, status: 'posting' } });
};

/** Forgets a request that a dead process was about to make. False when that process may be alive. */
export const forgetDeadPosting = async (db: Database, move: NovaMove): Promise<boolean> => {
  const forgotten = await db.$executeRaw`
    DELETE FROM openstack_move
    WHERE id = ${move.id}::uuid AND status = 'posting' AND posting_until < clock_timestamp()`;
  return forgotten === 1;
};

/** Nova has accepted the move. `requestId` is null when the move needs no request to Nova. */
export const recordRunning = async (
  db: Database,
  { id }: Pick<NovaMove, 'id'>,
  taken: { readonly requestId: string | null; readonly target: string | null },
): Promise<void> => {
  await db.openstackMove.updateMany({ where: { id, status: open }, data: { ...taken, status: 'running' } });
};

export type MoveEnd = Extract<MoveStatus, { kind: 'done' | 'failed' | 'refused' | 'again' | 'gone' }>;

/** What the log keeps of an end beside its status. */
export type EndMarks = Partial<Pick<NovaMove, 'mayHaveLeft' | 'inconclusive'>>;

/** Records the end of a move. The first recorded end stays. @returns the recorded end */
export const recordEnd = async (
  db: Database,
  move: NovaMove,
  { marks, ...end }: MoveEnd & { readonly marks?: EndMarks },
): Promise<MoveStatus> => {
  const data = { ...endData(end), ...marks };
  await db.openstackMove.updateMany({ where: { id: move.id, status: open }, data });
  const recorded = await db.openstackMove.findUniqueOrThrow({ where: { id: move.id } });
  return novaMoveStatus(recorded);
};

/** Marks a move that is over. */
export const markLeft = async (db: Database, { id }: Pick<NovaMove, 'id'>, marks: EndMarks): Promise<void> => {
  await db.openstackMove.updateMany({ where: { id }, data: marks });
};

const endData = (end: MoveEnd): Prisma.OpenstackMoveUpdateManyMutationInput => {
  switch (end.kind) {
    case 'done':
      return { status: 'done', landedOn: end.host, failure: end.trouble ?? null };
    case 'failed':
      return { status: 'failed', failure: end.reason, blocked: end.isBlocked === true };
    case 'refused':
      return { status: 'refused', failure: end.reason };
    case 'again': // by the status that the version before knows
      return { status: 'refused', failure: end.reason, again: true };
    case 'gone':
      return { status: 'gone' };
  }
};

/** The status of a move, from the log. */
export const novaMoveStatus = (move: NovaMove): MoveStatus => {
  switch (move.status) {
    case 'posting':
    case 'running':
      return { kind: 'running' };
    case 'done':
      return doneStatus(move);
    case 'gone':
      return { kind: 'gone' };
    case 'failed':
      return { kind: 'failed', reason: failureOf(move), ...(move.blocked && { isBlocked: true }) };
    case 'refused':
      return { kind: move.again ? 'again' : 'refused', reason: failureOf(move) };
    default:
      throw new Error(`openstack_move ${move.id} has the status ${move.status}, which nobody writes`);
  }
};

const doneStatus = ({ landedOn, source, failure }: NovaMove): MoveStatus => {
  const host = landedOn ?? source;
  return failure === null ? { kind: 'done', host } : { kind: 'done', host, trouble: failure };
};

const failureOf = ({ failure }: NovaMove): string => failure ?? 'no reason given';

/** Selects the requests to Nova that were made for one of our moves. */
export const findLoggedRequests = async (db: Database, requestIds: readonly string[]): Promise<ReadonlySet<string>> => {
  const rows = await db.openstackMove.findMany({
    where: { requestId: { in: [...requestIds] } },
    select: { requestId: true },
  });
  return new Set(rows.flatMap(({ requestId }) => requestId ?? []));
};

/** True when Nova's policy lately prevented us from naming a target. */
export const wasTargetLeftToNova = async (db: Database): Promise<boolean> => {
  const rows = await db.$queryRaw<unknown[]>`
    SELECT 1 FROM openstack_move
    WHERE target IS NULL AND created_at > clock_timestamp() - interval '1 day' LIMIT 1`;
  return rows.length > 0;
};

export const describeMove = ({
  action,
  instanceName,
  instanceId,
  source,
  target,
}: Pick<NovaMove, 'action' | 'instanceName' | 'instanceId' | 'source' | 'target'>): string =>
  `${action} of instance ${instanceName} (${instanceId}) from ${source}${target ? ` to ${target}` : ''}`;

/** Where the instance and its host are named already. */
export const moveInWords = ({ action, target }: Pick<NovaMove, 'action' | 'target'>): string =>
  `${action}${target ? ` to ${target}` : ''}`;

export const isCold = ({ action, forced }: Pick<NovaMove, 'action' | 'forced'>): boolean =>
  forced || action === 'MIGRATE';
