/**
 * Servers that Nova moves in no way, as it said when it was asked for a move (table openstack_immovable): it tells this
 * of no server beforehand. From then on only their project is asked to act.
 */
import type { Database } from '../../../prisma/database';
import { type IdKey, keyOf } from '../../../rules/cloud/id';
import type { NovaMove } from './move-log';

/** Nova's words about a lock, which its owner or an administrator may take away. */
export const isLock = (words: string): boolean => /Instance \S+ is locked|InstanceIsLocked/.test(words);

/** @param reason in Nova's words */
export const recordImmovable = async (
  db: Database,
  { instanceId }: Pick<NovaMove, 'instanceId'>,
  reason: string,
): Promise<void> => {
  await db.$executeRaw`
    INSERT INTO openstack_immovable (instance_id, reason, told_at) VALUES (${instanceId}, ${reason}, clock_timestamp())
    ON CONFLICT (instance_key) DO UPDATE SET reason = EXCLUDED.reason, told_at = EXCLUDED.told_at`;
};

/** Forgets it of a server that has moved. */
export const forgetImmovable = async (db: Database, { instanceId }: Pick<NovaMove, 'instanceId'>): Promise<void> => {
  await db.openstackImmovable.deleteMany({ where: { instanceKey: keyOf(instanceId) } });
};

/** The reasons, in words that follow "since", of servers about which Nova said so within a day. */
export const findImmovable = async (db: Database): Promise<ReadonlyMap<IdKey, string>> => {
  const rows = await db.$queryRaw<{ instanceId: string; reason: string }[]>`
    SELECT instance_id AS "instanceId", reason FROM openstack_immovable
    WHERE told_at > clock_timestamp() - interval '1 day'`;
  return new Map(rows.map(({ instanceId, reason }) => [keyOf(instanceId), `Nova said: ${reason}`]));
};
