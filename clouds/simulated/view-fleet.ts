/** The present state of the simulated fleet, for people and for scripts. */
import type { Database } from '../../prisma/database';
import type { Amounts } from '../../rules/cloud/amounts';
import { hostUse, type Size, sizeOf } from './capacity';
import { settleMoves } from './change-cloud';

export interface HostView {
  readonly name: string;
  readonly type: string;
  readonly isCompute: boolean;
  readonly enabled: boolean;
  readonly disabledReason?: string;
  /** The number of its next disables that are refused. */
  readonly disableFailures: number;
  /** Its service does not answer. */
  readonly isDown: boolean;
  /** The cloud cannot tell what is on it. */
  readonly isSilent: boolean;
  readonly lacking: readonly string[];
  readonly keepsAway: readonly string[];
  readonly total: Size;
  /** The capacity in use by its instances and by those on their way to it. */
  readonly used: Size;
  readonly instances: number;
}

export interface InstanceView extends Size {
  readonly instanceId: string;
  readonly instanceName: string;
  readonly projectId: string;
  readonly groupId?: string;
  readonly flavor: string;
  readonly host: string;
  readonly state: string;
  readonly failMoves: number;
  readonly actsItself: boolean;
  /** Sources that do not know it. */
  readonly hiddenFrom: readonly string[];
  /** The host that still holds its way back. */
  readonly wayBackOn?: string;
}

export interface MoveView {
  readonly claimId: string;
  readonly instanceId: string;
  readonly action: string;
  readonly source: string;
  readonly target: string;
  readonly forced: boolean;
  readonly startedAt: Date;
}

export interface FleetView {
  readonly hosts: readonly HostView[];
  readonly instances: readonly InstanceView[];
  readonly movesRunning: readonly MoveView[];
}

const asSize = ({ VCPU: vcpus = 0, MEMORY_MB: memoryMb = 0, ...amounts }: Amounts): Size => ({
  vcpus,
  memoryMb,
  amounts,
});

const viewHosts = async (db: Database): Promise<HostView[]> => {
  const uses = new Map((await hostUse(db)).map((use) => [use.name, use]));
  const hosts = await db.simHost.findMany({ orderBy: { name: 'asc' } });
  return hosts.map((host) => ({
    name: host.name,
    type: host.type,
    isCompute: host.isCompute,
    enabled: !host.disabled,
    ...(host.disabledReason !== null && { disabledReason: host.disabledReason }),
    disableFailures: host.disableFailures,
    isDown: host.isDown,
    isSilent: host.isSilent,
    lacking: host.lacking,
    keepsAway: host.keepsAway,
    total: sizeOf(host),
    used: asSize(uses.get(host.name)?.used ?? {}),
    instances: uses.get(host.name)?.instances ?? 0,
  }));
};

const viewInstances = async (db: Database): Promise<InstanceView[]> => {
  const instances = await db.simInstance.findMany({ orderBy: [{ host: 'asc' }, { instanceName: 'asc' }] });
  return instances.map(({ groupId, wayBackOn, moveS: _moveS, ...instance }) => ({
    ...instance,
    ...sizeOf(instance),
    ...(groupId !== null && { groupId }),
    ...(wayBackOn !== null && { wayBackOn }),
  }));
};

const viewMoves = (db: Database): Promise<MoveView[]> =>
  db.simMove.findMany({
    where: { status: 'running' },
    select: {
      claimId: true,
      instanceId: true,
      action: true,
      source: true,
      target: true,
      forced: true,
      startedAt: true,
    },
    orderBy: { startedAt: 'asc' },
  });

export const viewFleet = async (db: Database): Promise<FleetView> => {
  await settleMoves(db);
  return { hosts: await viewHosts(db), instances: await viewInstances(db), movesRunning: await viewMoves(db) };
};
