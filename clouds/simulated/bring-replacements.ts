/**
 * Ends an own action whose project deletes the instance first. The project makes a new instance on any host with
 * capacity; here it has the ID of the old one. When no host has capacity, the instance is gone.
 */
import type { Transaction } from '../../prisma/database';
import { TargetRefusal } from '../cloud-driver';
import { type MovedInstance, refuseTarget } from './begin-move';

interface DueMove {
  readonly id: string;
  readonly source: string;
  readonly instanceKey: string;
}

/** @returns true when a replacement is due, so that its move can end now */
export const bringReplacements = async (tx: Transaction): Promise<boolean> => {
  const due = await tx.$queryRaw<DueMove[]>`
    SELECT id, source, instance_key AS "instanceKey" FROM sim_move
    WHERE status = 'running' AND target = '' AND NOT will_fail AND ends_at <= clock_timestamp() ORDER BY ends_at, id`;
  for (const { id, source, instanceKey } of due) {
    const instance = await tx.simInstance.findUnique({ where: { instanceKey } });
    if (instance === null) continue;
    const target = await hostWithCapacity(tx, instance, source);
    if (target === undefined) await tx.simInstance.delete({ where: { instanceKey } });
    else await tx.simMove.update({ where: { id }, data: { target } });
  }
  return due.length > 0;
};

const hostWithCapacity = async (
  tx: Transaction,
  instance: MovedInstance,
  source: string,
): Promise<string | undefined> => {
  const hosts = await tx.simHost.findMany({
    where: { isCompute: true, disabled: false, name: { not: source } },
    orderBy: { name: 'asc' },
  });
  for (const { name } of hosts) if (await takes(tx, instance, name)) return name;
  return undefined;
};

const takes = async (tx: Transaction, instance: MovedInstance, target: string): Promise<boolean> => {
  try {
    await refuseTarget(tx, instance, target);
    return true;
  } catch (error) {
    if (error instanceof TargetRefusal) return false;
    throw error;
  }
};
