/**
 * The driver's log of moves (table kubernetes_move). The cluster knows no claims, so the log keeps each pod that is to
 * leave with its claim. A row is written before the API server is asked; asking twice for one pod, by its UID, is
 * harmless.
 */
import { type Database, type Transaction } from '../../../prisma/database';
import { type IdKey, keyOf } from '../../../rules/cloud/id';
import type { MoveStatus } from '../../cloud-driver';
import type { RefusedForNow } from './refusals';

export interface PodMove {
  readonly id: string;
  readonly claimId: string;
  readonly forced: boolean;
  readonly instanceId: string;
  readonly podName: string;
  readonly namespace: string;
  readonly action: string;
  /** trying | leaving | gone | failed | refused: given up while the API server still refused it */
  readonly status: string;
  readonly refusal: string | null;
  readonly refusedSince: Date | null;
  readonly failure: string | null;
}

export type NewPodMove = Omit<PodMove, 'id' | 'status' | 'refusal' | 'refusedSince' | 'failure'>;

const open = { in: ['trying', 'leaving'] };

export const isOpen = ({ status }: PodMove): boolean => open.in.includes(status);

/** The claim's newest move: the forced one where there is one. */
export const newestMoveOf = async (db: Database, claimId: string): Promise<PodMove | undefined> =>
  (await db.kubernetesMove.findFirst({ where: { claimId }, orderBy: { forced: 'desc' } })) ?? undefined;

export const openMoveOf = async (db: Database, instanceId: string): Promise<PodMove | undefined> =>
  (await db.kubernetesMove.findFirst({ where: { instanceKey: keyOf(instanceId), status: open } })) ?? undefined;

/** The pods that this service is moving, whoever watches the moves. */
export const findMovedPods = async (db: Database): Promise<ReadonlySet<IdKey>> => {
  const moves = await db.kubernetesMove.findMany({ where: { status: open }, select: { instanceId: true } });
  return new Set(moves.map(({ instanceId }) => keyOf(instanceId)));
};

/**
 * Those, and the pods for whose eviction a process may be asking at this moment although their move was given up
 * meanwhile.
 */
export const findPodsToLeave = async (db: Database): Promise<ReadonlySet<IdKey>> => {
  const rows = await db.$queryRaw<{ instanceId: string }[]>`
    SELECT instance_id AS "instanceId" FROM kubernetes_move
    WHERE status IN ('trying', 'leaving') OR next_try_at > clock_timestamp()`;
  return new Set(rows.map(({ instanceId }) => keyOf(instanceId)));
};

const asBegun = { status: 'trying', refusal: null, refusedSince: null, failure: null };

/** @returns undefined when the claim has such a move already, or the pod has another open one */
export const logMove = async (db: Database | Transaction, move: NewPodMove): Promise<PodMove | undefined> => {
  const rows = await db.$queryRaw<{ id: string }[]>`
    INSERT INTO kubernetes_move (id, claim_id, forced, instance_id, pod_name, namespace, action, status)
    VALUES (gen_random_uuid(), ${move.claimId}::uuid, ${move.forced}, ${move.instanceId}, ${move.podName},
            ${move.namespace}, ${move.action}, 'trying')
    ON CONFLICT DO NOTHING RETURNING id::text`;
  const [row] = rows;
  return row === undefined ? undefined : { ...move, id: row.id, ...asBegun };
};

/** The seconds in which a process must have asked. After them, others consider the process dead. */
const askingSeconds = 30;

/** True when this process may ask now: the time of the next try has come, and no other process asks. */
export const takeTry = async (db: Database, { id }: PodMove): Promise<boolean> => {
  const taken = await db.$executeRaw`
    UPDATE kubernetes_move SET next_try_at = clock_timestamp() + make_interval(secs => ${askingSeconds})
    WHERE id = ${id}::uuid AND status = 'trying' AND next_try_at <= clock_timestamp()`;
  return taken === 1;
};

/** It was refused for now: the move is tried again. */
export const recordRefusal = async (
  db: Database,
  { id }: PodMove,
  { because, since, againInSeconds }: Omit<RefusedForNow, 'kind'>,
): Promise<void> => {
  await db.$executeRaw`
    UPDATE kubernetes_move
    SET refusal = ${because}, refused_since = ${since ?? null}, next_try_at = clock_timestamp() + make_interval(secs => ${againInSeconds})
    WHERE id = ${id}::uuid AND status = 'trying'`;
};

/** The API server accepted it: the pod ends in its own time. */
export const recordLeaving = async (db: Database, { id }: PodMove): Promise<void> => {
  await db.kubernetesMove.updateMany({ where: { id, status: 'trying' }, data: { status: 'leaving' } });
};

export type EvictionEnd = Extract<MoveStatus, { kind: 'failed' | 'gone' }>;

/** Records the end of a move. The first recorded end stays. @returns the recorded end */
export const recordEnd = async (db: Database, { id }: PodMove, end: EvictionEnd): Promise<MoveStatus> => {
  const data = end.kind === 'gone' ? { status: 'gone' } : { status: statusOf(end), failure: end.reason };
  await db.kubernetesMove.updateMany({ where: { id, status: open }, data });
  return moveStatus(await db.kubernetesMove.findUniqueOrThrow({ where: { id } }));
};

const statusOf = ({ isRefusedStill }: Extract<EvictionEnd, { kind: 'failed' }>): string =>
  isRefusedStill ? 'refused' : 'failed';

/** The status of a move, from the log. */
export const moveStatus = (move: PodMove): MoveStatus => {
  switch (move.status) {
    case 'trying':
      return move.refusal === null ? { kind: 'running' } : refusedForNow(move.refusal, move.refusedSince);
    case 'leaving':
      return { kind: 'running' };
    case 'gone':
      return { kind: 'gone' };
    case 'failed':
      return { kind: 'failed', reason: move.failure ?? 'no reason given' };
    case 'refused':
      return { kind: 'failed', reason: move.failure ?? 'no reason given', isRefusedStill: true };
    default:
      throw new Error(`kubernetes_move ${move.id} has the status ${move.status}, which nobody writes`);
  }
};

const refusedForNow = (refusal: string, since: Date | null): MoveStatus => ({
  ...{ kind: 'running', isQueued: true, isRefusedForNow: true, progress: `not accepted yet: ${refusal}` },
  ...(since !== null && { heldUpSince: since }),
});

export const namedPod = ({
  podName,
  namespace,
  instanceId,
}: Pick<PodMove, 'podName' | 'namespace' | 'instanceId'>): string => `pod ${namespace}/${podName} (${instanceId})`;

/** A move in words, such as "the eviction of pod …". */
export const describeMove = (move: PodMove): string => {
  if (move.forced) return `the deletion of ${namedPod(move)}`;
  return move.action === 'OWN_ACTION' ? `the own action for ${namedPod(move)}` : `the eviction of ${namedPod(move)}`;
};
