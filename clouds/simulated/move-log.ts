/**
 * The simulated cloud's own log of moves (table sim_move): one row for each claim, and a second one after it was
 * forced.
 */
import type { Queryable, Transaction } from '../../prisma/database';
import { type IdKey, keyOf } from '../../rules/cloud/id';
import type { MoveAction } from '../../rules/cloud/move-action';
import type { MoveStatus } from '../cloud-driver';

export interface LoggedMove {
  readonly id: string;
  readonly instanceId: string;
  readonly action: string;
  readonly source: string;
  readonly target: string;
  readonly forced: boolean;
  /** running | done | failed | aborted | gone */
  readonly status: string;
  readonly failure: string | null;
}

export interface NewMove {
  readonly claimId: string;
  readonly instanceId: string;
  readonly action: MoveAction;
  readonly source: string;
  readonly target: string;
  readonly forced: boolean;
  readonly willFail: boolean;
  readonly startedAt: Date;
  readonly endsAt: Date;
}

/** The claim's newest move: the forced one where there is one. */
export const newestMoveOf = async (db: Queryable, claimId: string): Promise<LoggedMove | undefined> =>
  (await db.simMove.findFirst({ where: { claimId }, orderBy: { forced: 'desc' } })) ?? undefined;

/** The same for many claims at once. */
export const newestMovesOf = async (
  db: Queryable,
  claimIds: readonly string[],
): Promise<ReadonlyMap<string, LoggedMove>> => {
  const moves = await db.simMove.findMany({ where: { claimId: { in: [...claimIds] } }, orderBy: { forced: 'asc' } });
  return new Map(moves.map((move) => [move.claimId, move]));
};

export const runningMoveOf = async (db: Queryable, instanceId: string): Promise<LoggedMove | undefined> =>
  (await db.simMove.findFirst({ where: { instanceKey: keyOf(instanceId), status: 'running' } })) ?? undefined;

export const runningInstances = async (db: Queryable): Promise<ReadonlySet<IdKey>> => {
  const moves = await db.simMove.findMany({ where: { status: 'running' }, select: { instanceId: true } });
  return new Set(moves.map(({ instanceId }) => keyOf(instanceId)));
};

/**
 * Logs a move that begins. Unique constraints make sure that no claim moves twice and that no instance is in two moves
 * at once, even for code that does not use `changeCloud`.
 */
export const logMove = async (tx: Transaction, move: NewMove): Promise<void> => {
  await tx.simMove.create({ data: move });
};

/** Ends a running move before its time; the instance stays on its source. */
export const abortLoggedMove = async (
  tx: Transaction,
  move: { readonly id: string },
  { now, because }: { readonly now: Date; readonly because: string },
): Promise<void> => {
  await tx.simMove.updateMany({
    where: { id: move.id, status: 'running' },
    data: { status: 'aborted', endedAt: now, failure: because },
  });
};

/** The status of a logged move, in the driver's words. */
export const loggedMoveStatus = (move: LoggedMove): MoveStatus => {
  switch (move.status) {
    case 'running':
      return { kind: 'running' };
    case 'done':
      return { kind: 'done', host: move.target };
    case 'gone':
      return { kind: 'gone' };
    case 'failed':
    case 'aborted':
      return { kind: 'failed', reason: `${moveInWords(move)} ${move.status}: ${move.failure ?? 'no reason given'}` };
    default:
      throw new Error(`sim_move ${move.id} has the status ${move.status}, which nobody writes`);
  }
};

/** Where the instance and its host are named already. */
const moveInWords = ({ action, target }: Pick<LoggedMove, 'action' | 'target'>): string =>
  `${action}${target === '' ? '' : ` to ${target}`}`;

export const describeMove = (move: Pick<LoggedMove, 'action' | 'instanceId' | 'source' | 'target'>): string =>
  `${move.action} of instance ${move.instanceId} from ${move.source}${move.target === '' ? '' : ` to ${move.target}`}`;
