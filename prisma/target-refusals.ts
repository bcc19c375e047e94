/** Hosts that the cloud refused to an instance (planning/limits/refusals.ts). They outlive their session. */
import { Type } from '@sinclair/typebox';
import { Value } from '@sinclair/typebox/value';
import { keyOf } from '../planning/fleet/id';
import { type HostThere, isSameThere, type NotedRefusal } from '../planning/limits/refusals';
import { databaseNow, type Queryable } from './database';

const HostThereSchema = Type.Object({
  enabled: Type.Boolean(),
  vcpus: Type.Number(),
  memoryMb: Type.Number(),
  phase: Type.Union([Type.String(), Type.Null()]),
});

export const findRefusals = async (db: Queryable): Promise<NotedRefusal[]> => {
  const rows = await db.targetRefusal.findMany({ orderBy: [{ instanceKey: 'asc' }, { target: 'asc' }] });
  return rows.map(({ instanceId, target, reason, refusedAt, passesAt, hostThere, instancesThere }) => ({
    ...{ instanceId, target, reason, refusedAtMs: refusedAt.getTime(), instancesThere },
    hostThere: Value.Parse(HostThereSchema, hostThere),
    ...(passesAt !== null && { passesAtMs: passesAt.getTime() }),
  }));
};

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
  const before = (await findRefusals(tx)).find(
    (one) => keyOf(one.instanceId) === keyOf(instanceId) && one.target === target,
  );
  const isRepeated = before && isSameThere(before, refusal.hostThere, new Set(refusal.instancesThere));
  const refusedAt = await databaseNow(tx);
  const passes = passesInSeconds !== undefined && !isRepeated;
  const data = {
    reason: refusal.reason,
    refusedAt,
    passesAt: passes ? new Date(refusedAt.getTime() + passesInSeconds * 1000) : null,
    hostThere: { ...refusal.hostThere },
    instancesThere: [...refusal.instancesThere],
  };
  await tx.targetRefusal.upsert({
    where: { instanceKey_target: { instanceKey: keyOf(instanceId), target } },
    create: { instanceId, target, ...data },
    update: data,
  });
};
