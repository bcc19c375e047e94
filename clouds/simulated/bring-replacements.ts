/**
 * Ends the own actions of projects that act: the instance is on another host with capacity then, where it keeps its ID.
 * When no host has capacity, a project that deletes the instance first has lost it, and one that makes the replacement
 * first waits.
 */
import type { Transaction } from '../../prisma/database';
import { TargetRefusal } from '../cloud-driver';
import { type MovedInstance, refuseTarget } from './begin-move';
import { sizeOf } from './capacity';

interface DueAction {
  readonly id: string;
  /** Empty: the project deletes the instance first. */
  readonly target: string;
  readonly instanceKey: string;
}

/** @returns true when an instance was deleted, so that its move is over too */
export const bringReplacements = async (tx: Transaction): Promise<boolean> => {
  const due = await tx.$queryRaw<DueAction[]>`
    SELECT id, target, instance_key AS "instanceKey" FROM sim_move
    WHERE status = 'running' AND action = 'OWN_ACTION' AND NOT will_fail AND ends_at <= clock_timestamp()
    ORDER BY ends_at, id`;
  let isAnyDeleted = false;
  for (const action of due) {
    const instance = await tx.simInstance.findUnique({ where: { instanceKey: action.instanceKey } });
    if (instance === null) continue;
    const host = await hostWithCapacity(tx, { ...instance, ...sizeOf(instance) }, action.target);
    if (host !== undefined) await replaceOn(tx, action, host);
    else if (action.target !== '') await tryAgainSoon(tx, action);
    else {
      await tx.simInstance.delete({ where: { instanceKey: action.instanceKey } });
      isAnyDeleted = true;
    }
  }
  return isAnyDeleted;
};

const replaceOn = async (tx: Transaction, { id, instanceKey }: DueAction, host: string): Promise<void> => {
  await tx.$executeRaw`
    UPDATE sim_move SET status = 'done', target = ${host}, ended_at = LEAST(ends_at, clock_timestamp())
    WHERE id = ${id}::uuid`;
  await tx.simInstance.update({ where: { instanceKey }, data: { host } });
};

/** Later, so that not every look at the cloud tries it. */
const tryAgainSoon = async (tx: Transaction, { id }: DueAction): Promise<void> => {
  await tx.$executeRaw`UPDATE sim_move SET ends_at = clock_timestamp() + interval '1 second' WHERE id = ${id}::uuid`;
};

/** The host that was kept for it before any other. */
const hostWithCapacity = async (
  tx: Transaction,
  instance: MovedInstance,
  kept: string,
): Promise<string | undefined> => {
  const hosts = await tx.simHost.findMany({
    where: { isCompute: true, disabled: false, name: { not: instance.host } },
    orderBy: { name: 'asc' },
  });
  const names = hosts.map(({ name }) => name);
  for (const name of [...names.filter((one) => one === kept), ...names.filter((one) => one !== kept)]) {
    if (await takes(tx, instance, name)) return name;
  }
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
