/** Hosts that the cloud refused to an instance (planning/limits/refusals.ts). They outlive their session. */
import { Type } from '@sinclair/typebox';
import { Value } from '@sinclair/typebox/value';
import { keyOf } from '../../planning/fleet/id';
import { forgottenAfterMs, type HostThere, isSameThere, type NotedRefusal } from '../../planning/limits/refusals';
import { databaseNow, type Queryable } from '../database';

const HostThereSchema = Type.Object({
  enabled: Type.Boolean(),
  vcpus: Type.Number(),
  memoryMb: Type.Number(),
  phase: Type.Union([Type.String(), Type.Null()]),
});

type Row = Awaited<ReturnType<Queryable['targetRefusal']['findMany']>>[number];

const toNoted = ({ refusedAt, passesAt, hostThere, ...row }: Row): NotedRefusal => {
  const { instanceId, target, reason, instancesThere } = row;
  return {
    ...{ instanceId, target, reason, refusedAtMs: refusedAt.getTime(), instancesThere },
    hostThere: Value.Parse(HostThereSchema, hostThere),
    ...(passesAt !== null && { passesAtMs: passesAt.getTime() }),
  };
};

const forgottenAt = (now: Date): Date => new Date(now.getTime() - forgottenAfterMs);

/** Those that are not forgotten yet. */
export const findRefusals = async (db: Queryable, now: Date): Promise<NotedRefusal[]> => {
  const rows = await db.targetRefusal.findMany({
    where: { refusedAt: { gt: forgottenAt(now) } },
    orderBy: [{ instanceKey: 'asc' }, { target: 'asc' }],
  });
  return rows.map(toNoted);
};

/** So that they do not become more and more; those that another transaction holds are left to the next one. */
const removeForgotten = (tx: Queryable, now: Date): Promise<number> => tx.$executeRaw`
  DELETE FROM target_refusal WHERE (instance_key, target) IN (
    SELECT instance_key, target FROM target_refusal WHERE refused_at <= ${forgottenAt(now)} FOR UPDATE SKIP LOCKED)`;

export interface NewRefusal {
  readonly instanceId: string;
  readonly target: string;
  readonly reason: string;
  /** Undefined: it does not pass by itself. */
  readonly passesInSeconds?: number;
  readonly hostThere: HostThere;
  readonly instancesThere: readonly string[];
}

/** What the cloud said would pass, and has not, does so no more before something there has changed. */
export const recordRefusal = async (tx: Queryable, { passesInSeconds, ...refusal }: NewRefusal): Promise<void> => {
  const { instanceId, target } = refusal;
  const where = { instanceKey_target: { instanceKey: keyOf(instanceId), target } };
  const refusedAt = await databaseNow(tx);
  await removeForgotten(tx, refusedAt);
  const before = await tx.targetRefusal.findUnique({ where });
  const isRepeated = before && isSameThere(toNoted(before), refusal.hostThere, new Set(refusal.instancesThere));
  const passes = passesInSeconds !== undefined && !isRepeated;
  const data = {
    reason: refusal.reason,
    refusedAt,
    passesAt: passes ? new Date(refusedAt.getTime() + passesInSeconds * 1000) : null,
    hostThere: { ...refusal.hostThere },
    instancesThere: [...refusal.instancesThere],
  };
  await tx.targetRefusal.upsert({
    where,
    create: { instanceId, target, ...data },
    update: data,
  });
};
