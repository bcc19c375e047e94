/**
 * Tells which pods of a workload serve, and which do not: a pod that is not Ready is away, and so is a pod that its
 * owner still has to make, however long that takes. After the time of the setting such a pod is overdue: then it is
 * named. How members that are away count is decided where their limits are known (rules/constraints/members-away.ts).
 */
import type { MemberStanding } from '../../../rules/cloud/cloud-facts';
import { atTime } from '../../../rules/obstacles/blocker';
import { nameWithNamespace } from '../client/resource';
import { hasEnded, isPodReady, notReadySince, type Pod, readySince } from '../objects/pods';
import { whyNotReady, whyUnscheduled } from '../objects/why-not-ready';

export interface WorkloadNow {
  readonly uid: string;
  /** Its name for people. */
  readonly name: string;
  /** All that there are, with a node or without. */
  readonly pods: readonly Pod[];
  /** The number that its owner wants; undefined: nobody tells it. */
  readonly replicas: number | undefined;
}

export interface StandingTeller {
  /**
   * @param workloads all that there are: what is known of others is forgotten
   * @returns the members by the UID of the workload: pods that serve, that start and that are missing. A pod that ends
   * is none of them.
   */
  readonly membersOf: (
    workloads: readonly WorkloadNow[],
    nowMs: number,
  ) => ReadonlyMap<string, readonly MemberStanding[]>;
}

/** Remembers since when a workload has had fewer pods than it wants: nothing in the cluster tells that. */
export const createStandingTeller = (readySeconds: number): StandingTeller => {
  let fewerSince: ReadonlyMap<string, number> = new Map();
  return {
    membersOf(workloads, nowMs) {
      const isOverdue = (sinceMs: number): boolean => nowMs - sinceMs >= readySeconds * 1000;
      const since = new Map<string, number>();
      const all = workloads.map(({ uid, name, pods, replicas }) => {
        const staying = pods.filter((pod) => !hasEnded(pod) && pod.metadata.deletionTimestamp === undefined);
        const missing = Math.max(0, (replicas ?? staying.length) - staying.length);
        const sinceMs = fewerSince.get(uid) ?? nowMs;
        if (missing > 0) since.set(uid, sinceMs);
        const toMake = {
          kind: 'away',
          sinceMs,
          ...(isOverdue(sinceMs) && { overdue: missingWords(name, sinceMs) }),
        } as const;
        return [
          uid,
          [...staying.map((pod) => standingOf(pod, isOverdue)), ...Array<MemberStanding>(missing).fill(toMake)],
        ] as const;
      });
      fewerSince = since;
      return new Map(all);
    },
  };
};

const standingOf = (pod: Pod, isOverdue: (sinceMs: number) => boolean): MemberStanding => {
  if (isPodReady(pod)) return { kind: 'serves', sinceMs: readySince(pod) };
  const sinceMs = notReadySince(pod) ?? 0;
  const why = whyUnscheduled(pod);
  return {
    ...{ kind: 'away', sinceMs },
    ...(isOverdue(sinceMs) && { overdue: notReadyWords(pod, sinceMs) }),
    ...(why !== undefined && { unplaced: `pod ${nameWithNamespace(pod)} finds no node (${why})` }),
  };
};

const notReadyWords = (pod: Pod, sinceMs: number): string => {
  const why = whyNotReady(pod);
  return `pod ${nameWithNamespace(pod)} is not Ready since ${atTime(sinceMs)}${why === undefined ? '' : ` (${why})`}`;
};

const missingWords = (name: string, sinceMs: number): string =>
  `${name} has fewer pods than it should since ${atTime(sinceMs)}`;
