/**
 * A cloud of pods, made of the simulated one, for sessions of `k8s`: it evicts, keeps the limits that it tells, and its
 * pods are spread or run as one. A pod goes where the decision expects it, and keeps its ID. One that leaves without a
 * place is Pending, on no host, until its host is in use again.
 */
import type { CloudDriver, MoveStatus } from '../../../clouds/cloud-driver';
import { kubernetesActions } from '../../../clouds/kubernetes/actions';
import { createSimulatedCloud } from '../../../clouds/simulated/simulated-cloud';
import type { Database } from '../../../prisma/database';
import type { CloudGroup, CloudInstance, MemberStanding } from '../../../rules/cloud/cloud-facts';
import { noTarget } from '../../../rules/decisions/fleet/double-allocation';
import type { PlayedCourse } from './played-course';

interface EvictingCloud {
  readonly db: Database;
  readonly course: PlayedCourse;
  readonly nowMs: () => number;
  /** Has the session look again at the end of the recovery of a pod that came back. */
  readonly wakeAfter: (ms: number) => void;
}

export const evictingCloud = ({ db, course, nowMs, wakeAfter }: EvictingCloud): CloudDriver => {
  const { fleet, spreadsOf } = course;
  const cloud = createSimulatedCloud({ db, speed: 1 });
  const cameBackAtMs = new Map<string, number>();
  const asPod = (instance: CloudInstance): CloudInstance[] => {
    const spreads = spreadsOf?.(instance.instanceId) ?? [];
    return instance.host === noTarget ? [] : [{ ...instance, ...(spreads.length > 0 && { spreads }) }];
  };
  const listGroups = async (): Promise<CloudGroup[]> => {
    const pending = await db.simInstance.findMany({ where: { host: noTarget } });
    const isPending = new Set(pending.map(({ instanceId }) => instanceId));
    const standingOf = (id: string): MemberStanding =>
      isPending.has(id) ? { kind: 'away', sinceMs: 0 } : { kind: 'serves', sinceMs: cameBackAtMs.get(id) ?? 0 };
    return (fleet.serverGroups ?? []).map((group) => ({ ...group, members: group.instanceIds.map(standingOf) }));
  };
  const listInstances = async (host?: string) => (await cloud.listInstances(host)).flatMap(asPod);
  return {
    ...cloud,
    actions: kubernetesActions,
    choosesTarget: () => Promise.resolve(false),
    keepsLimits: true,
    listInstances,
    listInstancesLately: listInstances,
    listGroups,
    listGroupsLately: listGroups,
    findInstance: async (id) => {
      const found = await cloud.findInstance(id);
      return found && asPod(found)[0];
    },
    async enableHost(host) {
      await cloud.enableHost(host);
      const left = await db.simMove.findMany({ where: { source: host, target: noTarget, status: 'done' } });
      for (const { instanceId } of left) {
        const { count } = await db.simInstance.updateMany({ where: { instanceId, host: noTarget }, data: { host } });
        if (count === 0) continue;
        cameBackAtMs.set(instanceId, nowMs());
        for (const { recoveryTimeSeconds = 0 } of fleet.serverGroups ?? []) wakeAfter(recoveryTimeSeconds * 1000);
      }
    },
    async startMove(move) {
      const { claimId, instanceId, action, source, target } = move;
      if (target !== noTarget) return asEvicted(await cloud.startMove(move));
      const known = await cloud.observeMove(move);
      if (known.kind !== 'unknown') return asEvicted(known);
      const { moveSeconds } = fleet.instances.find((one) => one.instanceId === instanceId)!;
      const times = { startedAt: new Date(nowMs()), endsAt: new Date(nowMs() + moveSeconds * 1000) };
      await db.simMove.create({ data: { claimId, instanceId, action, source, target, ...times } });
      return { kind: 'running' };
    },
    observeMove: async (move) => asEvicted(await cloud.observeMove(move)),
  };
};

/** A pod that is Pending is gone: another one was made, which is on no host yet. */
const asEvicted = (status: MoveStatus): MoveStatus =>
  status.kind === 'done' && status.host === noTarget ? { kind: 'gone' } : status;
