/**
 * How many moves may be in flight from or to a host at once. Nova itself runs one live migration from a host after the
 * other by default (max_concurrent_live_migrations) and queues the rest, so more would only wait there.
 */
import type { Queryable } from '../../../prisma/database';
import type { LaterMove } from '../../cloud-driver';

export interface HostSlots {
  readonly claimId: string;
  readonly source: string;
  readonly target: string;
  /** 0: no bound. */
  readonly movesPerHost: number;
}

/**
 * Looks only into the log of moves: costs Nova no request. A move whose claim is over does not count, since nobody
 * knows when it ends.
 */
export const waitForSlot = async (
  db: Queryable,
  { claimId, source, target, movesPerHost }: HostSlots,
): Promise<LaterMove | undefined> => {
  if (movesPerHost === 0) return undefined;
  const rows = await db.$queryRaw<{ host: string; moves: bigint }[]>`
    SELECT host.name AS host, count(*) AS moves
    FROM unnest(${[source, target]}::text[]) AS host(name)
      JOIN openstack_move AS move ON host.name IN (move.source, move.target)
      LEFT JOIN claim ON claim.id = move.claim_id
    WHERE move.status IN ('posting', 'running') AND (move.action <> 'OWN_ACTION' OR move.forced)
      AND move.claim_id <> ${claimId}::uuid AND (claim.id IS NULL OR claim.phase = 'moving')
    GROUP BY host.name ORDER BY host.name`;
  const full = rows.find(({ moves }) => Number(moves) >= movesPerHost);
  if (full === undefined) return undefined;
  const because = `${full.moves} of at most ${movesPerHost} moves from or to host ${full.host} are in flight`;
  return { kind: 'later', waitsFor: 'hosts', because };
};

/** Nobody else takes a slot of these hosts before the transaction ends. */
export const lockSlots = async (
  tx: Queryable,
  { source, target }: Pick<HostSlots, 'source' | 'target'>,
): Promise<void> => {
  for (const host of [source, target].toSorted()) {
    await tx.$executeRaw`SELECT pg_advisory_xact_lock(hashtextextended(${`openstack_move ${host}`}, 0))`;
  }
};
