/**
 * Hosts on which the cloud refused an instance (rules/decisions/limits/refusals.ts). Refusals outlive their session.
 */
import { Type } from '@sinclair/typebox';
import { Value } from '@sinclair/typebox/value';
import { keyOf } from '../../rules/cloud/id';
import { type HostThere, isSameThere, type NotedRefusal } from '../../rules/decisions/limits/refusals';
import { databaseNow, type Queryable } from '../database';

const HostThereSchema = Type.Object({
  enabled: Type.Boolean(),
  amounts: Type.Record(Type.String(), Type.Number()),
  offers: Type.String(),
  phase: Type.Union([Type.String(), Type.Null()]),
});

type RefusalRow = Awaited<ReturnType<Queryable['targetRefusal']['findMany']>>[number];

const toNoted = ({ refusedAt, passesAt, hostThere, ...row }: RefusalRow): NotedRefusal => {
  const { instanceId, refusalClass, target, reason, instancesThere } = row;
  return {
    ...{ instanceId, refusalClass, target, reason, refusedAtMs: refusedAt.getTime(), instancesThere },
    hostThere: Value.Parse(HostThereSchema, hostThere),
    ...(passesAt !== null && { passesAtMs: passesAt.getTime() }),
  };
};

/** Age in milliseconds, 30 days: by then hardly any of these instances exist. */
const forgottenAfterMs = 30 * 86_400_000;

const forgottenAt = (now: Date): Date => new Date(now.getTime() - forgottenAfterMs);

/** The refusals that still count. */
export const findRefusals = async (db: Queryable, now: Date): Promise<NotedRefusal[]> => {
  const rows = await db.targetRefusal.findMany({
    where: { refusedAt: { gt: forgottenAt(now) } },
    orderBy: [{ instanceKey: 'asc' }, { target: 'asc' }],
  });
  return rows.map(toNoted);
};

/**
 * Deletes old refusals, so that the table does not grow. It leaves rows that another transaction has locked to the next
 * call.
 */
const removeForgotten = (tx: Queryable, now: Date): Promise<number> => tx.$executeRaw`
  DELETE FROM target_refusal WHERE (instance_key, target) IN (
    SELECT instance_key, target FROM target_refusal WHERE refused_at <= ${forgottenAt(now)} FOR UPDATE SKIP LOCKED)`;

/**
 * Forgets which targets refused the instances that the session has moved, and which of them no host takes: an admin has
 * changed what the cloud may not show.
 */
export const forgetRefusals = async (tx: Queryable, sessionId: string): Promise<void> => {
  await tx.$executeRaw`
    DELETE FROM target_refusal WHERE (instance_key, target) IN (
      SELECT instance_key, target FROM target_refusal
      WHERE instance_key IN (SELECT instance_key FROM claim WHERE session_id = ${sessionId}::uuid)
      FOR UPDATE SKIP LOCKED)`;
  await tx.$executeRaw`
    DELETE FROM openstack_immovable WHERE instance_key IN (
      SELECT instance_key FROM openstack_immovable
      WHERE instance_key IN (SELECT instance_key FROM claim WHERE session_id = ${sessionId}::uuid)
      FOR UPDATE SKIP LOCKED)`;
};

export interface NewRefusal {
  readonly instanceId: string;
  /** The class of instances that it holds for. */
  readonly refusalClass: string;
  readonly target: string;
  readonly reason: string;
  /** Undefined: the refusal does not pass by itself. */
  readonly passesInSeconds?: number;
  readonly hostThere: HostThere;
  readonly instancesThere: readonly string[];
}

/** A refusal that should have passed by itself, and has not, counts until something on the target changes. */
export const recordRefusal = async (tx: Queryable, { passesInSeconds, ...refusal }: NewRefusal): Promise<void> => {
  const { instanceId, target } = refusal;
  const where = { instanceKey_target: { instanceKey: keyOf(instanceId), target } };
  const refusedAt = await databaseNow(tx);
  await removeForgotten(tx, refusedAt);
  const before = await tx.targetRefusal.findUnique({ where });
  const isStillOn = (id: string) => refusal.instancesThere.includes(id);
  const isRepeated = before && isSameThere(toNoted(before), refusal.hostThere, isStillOn);
  const passes = passesInSeconds !== undefined && !isRepeated;
  const data = {
    refusalClass: refusal.refusalClass,
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
