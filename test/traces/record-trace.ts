/** Makes the trace of a simulated fleet, from the cloud's own log of moves and the events about hosts. */
import type { Database } from '../../prisma/database';
import type { Trace, TracedGroup, TracedInstance, TracedMaintenance, TracedMove } from './trace';

export interface TraceRecording {
  /** Notes that somebody made the instance just now; it must be in the cloud. */
  readonly noteAppeared: (instanceId: string) => Promise<void>;
  /** Notes that somebody is about to delete the instance. */
  readonly noteVanishing: (instanceId: string) => void;
  /** The trace until now. */
  readonly read: () => Promise<Trace>;
}

/** Begins with the fleet and the constraints as they are now; both must stay, but for what is noted. */
export const recordTrace = async (db: Database): Promise<TraceRecording> => {
  const hosts = await db.simHost.findMany();
  const instances = new Map<string, TracedInstance>();
  for (const { instanceId } of await db.simInstance.findMany()) {
    instances.set(instanceId, await readInstance(db, instanceId));
  }
  return {
    async noteAppeared(instanceId) {
      instances.set(instanceId, { ...(await readInstance(db, instanceId)), appearedMs: Date.now() });
    },
    noteVanishing(instanceId) {
      const known = instances.get(instanceId);
      if (known !== undefined) instances.set(instanceId, { ...known, vanishedMs: Date.now() });
    },
    async read() {
      return {
        hosts,
        instances: [...instances.values()],
        groups: await readGroups(db, [...instances.values()]),
        moves: await readMoves(db),
        maintenances: await readMaintenances(db),
      };
    },
  };
};

/** Without constraints the instances of one flavor are a group, of which one moves at a time. */
const readInstance = async (db: Database, instanceId: string): Promise<TracedInstance> => {
  const instance = await db.simInstance.findUniqueOrThrow({ where: { instanceId } });
  const constraint = await db.instanceConstraint.findUnique({ where: { instanceId } });
  const { projectId, flavor, vcpus, memoryMb, host } = instance;
  return { id: instanceId, groupKey: constraint?.groupId ?? `${projectId}/${flavor}`, vcpus, memoryMb, host };
};

const readGroups = async (db: Database, instances: readonly TracedInstance[]): Promise<TracedGroup[]> => {
  const stored = new Map((await db.groupConstraint.findMany()).map((group) => [group.groupId, group]));
  return [...new Set(instances.map(({ groupKey }) => groupKey))].map((key) => {
    const group = stored.get(key);
    if (group === undefined) return { key, maxImpactedMembers: 1, recoveryTimeMs: 0 };
    const { maxImpactedMembers, recoveryTime, antiAffinityGroup, maxInstancesPerHost } = group;
    const apart = antiAffinityGroup ? { maxInstancesPerHost } : {};
    return { key, maxImpactedMembers, recoveryTimeMs: recoveryTime * 1000, ...apart };
  });
};

const readMoves = async (db: Database): Promise<TracedMove[]> => {
  const moves = await db.simMove.findMany();
  return moves.map(({ instanceId, source, target, startedAt, endedAt, status }) => ({
    instanceId,
    source,
    target,
    startedMs: startedAt.getTime(),
    arrived: status === 'done',
    ...(endedAt && { endedMs: endedAt.getTime() }),
  }));
};

export const readMaintenances = async (db: Database): Promise<TracedMaintenance[]> => {
  const events = await db.event.findMany({
    where: { eventType: 'maintenance.host' },
    orderBy: [{ sessionId: 'asc' }, { seq: 'asc' }],
  });
  const facts = events.map(({ payload, createdAt, sessionId }) => {
    const { host, state } = payload as { host: string; state: string };
    return { host, state, sessionId, atMs: createdAt.getTime() };
  });
  return facts.flatMap(({ host, state, sessionId, atMs }, index) => {
    if (state !== 'IN_MAINTENANCE') return [];
    const end = facts.slice(index + 1).find((other) => other.host === host && other.sessionId === sessionId);
    return [{ host, fromMs: atMs, untilMs: end?.atMs ?? Infinity }];
  });
};
