/**
 * Edits of the simulated fleet while the service runs, as by an operator, a project or bad luck. Each edit is one
 * transaction. An instance is named by its ID, or by a name that only one instance has. Errors are FleetErrors.
 */
import { randomUUID } from 'node:crypto';
import type { Database, Transaction } from '../../prisma/database';
import { keyOf } from '../../rules/cloud/id';
import type { SimulatedSize } from '../../rules/simulation/simulated-classes';
import { capacityLeft, fits, neededAndLeft, type Size, sizeOf } from './capacity';
import { changeCloud } from './change-cloud';
import { FleetError } from './fleet-error';
import { describeMove, runningMoveOf } from './move-log';

export interface NewInstance extends SimulatedSize {
  readonly host: string;
  readonly projectId: string;
  readonly instanceName?: string;
  readonly groupId?: string;
  readonly flavor?: string;
  /** The time that a move of the instance takes, in simulated seconds. */
  readonly moveSeconds: number;
}

interface FoundInstance extends Size {
  readonly instanceId: string;
  readonly instanceKey: string;
  readonly instanceName: string;
  readonly host: string;
}

const instancesNamed = async (tx: Transaction, idOrName: string): Promise<FoundInstance[]> => {
  const either = [{ instanceKey: keyOf(idOrName) }, { instanceName: idOrName }];
  const found = await tx.simInstance.findMany({ where: { OR: either }, orderBy: { instanceKey: 'asc' } });
  return found.map((instance) => ({ ...instance, ...sizeOf(instance) }));
};

const findInstance = async (tx: Transaction, idOrName: string): Promise<FoundInstance | undefined> => {
  const [found, ...others] = await instancesNamed(tx, idOrName);
  if (others.length === 0) return found;
  throw new FleetError(`${others.length + 1} instances are named "${idOrName}": name one by its ID (fleet show)`);
};

export const requireInstance = async (tx: Transaction, idOrName: string): Promise<FoundInstance> => {
  const found = await findInstance(tx, idOrName);
  if (found === undefined) throw new FleetError(`no instance has the ID or the name "${idOrName}" (fleet show)`);
  return found;
};

/** A host that can take the instance. A disabled host can, because no scheduler is asked. */
const requireCapacity = async (tx: Transaction, name: string, size: SimulatedSize): Promise<void> => {
  const host = await tx.simHost.findUnique({ where: { name } });
  if (host === null) throw new FleetError(`there is no host "${name}" (fleet show)`);
  if (!host.isCompute) throw new FleetError(`host ${name} holds no instances: it is a controller only`);
  const free = await capacityLeft(tx, host);
  if (!fits(size, free)) throw new FleetError(`host ${name} has no capacity for it: ${neededAndLeft(size, free)}`);
};

/** Makes the instance's next `count` moves fail; 0: none. A move that runs already does not change. */
export const failNextMoves = (db: Database, idOrName: string, count: number): Promise<void> =>
  changeCloud(db, async (tx) => {
    const { instanceKey } = await requireInstance(tx, idOrName);
    await tx.simInstance.update({ where: { instanceKey }, data: { failMoves: count } });
  });

/** Makes the cloud refuse the next `count` disables of the host. */
export const failNextDisables = (db: Database, name: string, count: number): Promise<void> =>
  changeCloud(db, async (tx) => {
    const changed = await tx.simHost.updateMany({ where: { name }, data: { disableFailures: count } });
    if (changed.count === 0) throw new FleetError(`there is no host "${name}" (fleet show)`);
  });

const repairHost = async (tx: Transaction, name: string, enable: boolean): Promise<void> => {
  const enabled = enable ? { disabled: false, disabledReason: null } : {};
  await tx.simHost.update({
    where: { name },
    data: { disableFailures: 0, isDown: false, isSilent: false, lacking: [], keepsAway: [], ...enabled },
  });
};

/**
 * Lets a running move that was to fail half-way go on to its end. Gives no way back up: that is its project's choice.
 */
const repairInstance = async (tx: Transaction, instanceKey: string): Promise<void> => {
  await tx.simInstance.update({ where: { instanceKey }, data: { failMoves: 0, hiddenFrom: [] } });
  await tx.simInstance.updateMany({ where: { instanceKey, wayBackOn: null }, data: { state: 'ACTIVE' } });
  await tx.$executeRaw`
    UPDATE sim_move SET will_fail = false, ends_at = started_at + 2 * (ends_at - started_at)
    WHERE instance_key = ${instanceKey} AND status = 'running' AND will_fail`;
};

export interface Repair {
  readonly name: string;
  /** Enables it as well, when it is a host. */
  readonly enable: boolean;
}

/** Removes all failures of the named host, or else of the named instance. */
export const repair = (db: Database, { name, enable }: Repair): Promise<'host' | 'instance'> =>
  changeCloud(db, async (tx) => {
    if ((await tx.simHost.count({ where: { name } })) > 0) {
      await repairHost(tx, name, enable);
      return 'host';
    }
    const found = await findInstance(tx, name);
    if (found === undefined) throw new FleetError(`no host or instance is named "${name}" (fleet show)`);
    await repairInstance(tx, found.instanceKey);
    return 'instance';
  });

/** The project deletes the instance. A move of it is `gone` at the next look. */
export const removeInstance = (db: Database, idOrName: string): Promise<void> =>
  changeCloud(db, async (tx) => {
    const { instanceKey } = await requireInstance(tx, idOrName);
    await tx.simInstance.delete({ where: { instanceKey } });
  });

/** Writes the ID of a project or group in the form that the cloud already uses for it. */
const writtenAsKnown = async (tx: Transaction, { projectId, groupId }: NewInstance) => {
  const fellow = await tx.simInstance.findFirst({ where: { projectKey: keyOf(projectId) } });
  const member = await tx.simInstance.findFirst({ where: { groupKey: keyOf(groupId ?? '') } });
  return { projectId: fellow?.projectId ?? projectId, groupId: member?.groupId ?? groupId ?? null };
};

/** A project makes an instance on the host. @returns its ID */
export const addInstance = (db: Database, instance: NewInstance): Promise<string> =>
  changeCloud(db, async (tx) => {
    await requireCapacity(tx, instance.host, instance);
    const instanceId = randomUUID();
    await tx.simInstance.create({
      data: {
        instanceId,
        instanceName: instance.instanceName ?? `instance-${instanceId.slice(0, 8)}`,
        ...(await writtenAsKnown(tx, instance)),
        flavor: instance.flavor ?? `${instance.vcpus}x${instance.memoryMb}`,
        host: instance.host,
        vcpus: instance.vcpus,
        memoryMb: instance.memoryMb,
        moveS: instance.moveSeconds,
      },
    });
    return instanceId;
  });

const refuseWhileMoving = async (tx: Transaction, instance: FoundInstance): Promise<void> => {
  const running = await runningMoveOf(tx, instance.instanceId);
  if (running === undefined || running.action === 'OWN_ACTION') return;
  throw new FleetError(`instance ${instance.instanceName} is being moved already: ${describeMove(running)} is running`);
};

/** An own action that is awaited is carried out by this: the instance is on another host. */
const endOwnAction = async (tx: Transaction, instanceKey: string, at: { host: string; now: Date }): Promise<void> => {
  await tx.simMove.updateMany({
    where: { instanceKey, status: 'running', action: 'OWN_ACTION' },
    data: { status: 'done', target: at.host, endedAt: at.now },
  });
};

/** Moves the instance at once, possibly onto a disabled host. */
export const moveTo = async (
  tx: Transaction,
  instance: FoundInstance,
  { host, now }: { readonly host: string; readonly now: Date },
): Promise<void> => {
  if (instance.host === host) throw new FleetError(`instance ${instance.instanceName} is on host ${host} already`);
  await refuseWhileMoving(tx, instance);
  await requireCapacity(tx, host, instance);
  await endOwnAction(tx, instance.instanceKey, { host, now });
  await tx.simInstance.update({ where: { instanceKey: instance.instanceKey }, data: { host } });
};

/** Somebody moves the instance, without asking the service. */
export const moveInstance = (db: Database, idOrName: string, host: string): Promise<void> =>
  changeCloud(db, async (tx, now) => moveTo(tx, await requireInstance(tx, idOrName), { host, now }));
