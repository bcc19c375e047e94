/**
 * Tells when the pods of a workload that are being made again count as back: from the moment when they are Ready, at
 * most the time of the setting after they are made. A pod that is not Ready for longer is broken: it holds nobody up.
 * How long a member recovers after that is decided where its limits are known (rules/constraints/members-away.ts).
 */
import { hasEnded, isPodReady, type Pod, readySince } from '../objects/pods';

export interface WorkloadNow {
  readonly uid: string;
  /** All that there are, with a node or without. */
  readonly pods: readonly Pod[];
  /** The number that its owner wants; undefined: nobody tells it. */
  readonly replicas: number | undefined;
}

export interface ReturnTeller {
  /**
   * @param workloads all that there are: what is known of others is forgotten
   * @returns the times by the UID of the workload, in milliseconds: of pods that serve, that start and that are missing
   */
  readonly backAt: (workloads: readonly WorkloadNow[], nowMs: number) => ReadonlyMap<string, readonly number[]>;
}

/** Remembers since when a workload has had fewer pods than it wants: nothing in the cluster tells that. */
export const createReturnTeller = (readySeconds: number): ReturnTeller => {
  const readyMs = readySeconds * 1000;
  let fewerSince: ReadonlyMap<string, number> = new Map();
  return {
    backAt(workloads, nowMs) {
      const since = new Map<string, number>();
      const timesOf = ({ uid, pods, replicas }: WorkloadNow): readonly number[] => {
        const there = pods.filter((pod) => !hasEnded(pod));
        const staying = there.filter(({ metadata }) => metadata.deletionTimestamp === undefined);
        const missing = Math.max(0, (replicas ?? staying.length) - staying.length);
        const sinceMs = fewerSince.get(uid) ?? nowMs;
        if (missing > 0) since.set(uid, sinceMs);
        const times = [
          ...staying.map((pod) => backAtOf(pod, readyMs)),
          ...Array<number>(missing).fill(sinceMs + readyMs),
        ];
        // The place of a pod that still ends is counted with the action that ends it.
        return times.sort((one, other) => other - one).slice(there.length - staying.length);
      };
      const all = new Map(workloads.map((workload) => [workload.uid, timesOf(workload)]));
      fewerSince = since;
      return all;
    },
  };
};

const backAtOf = (pod: Pod, readyMs: number): number =>
  isPodReady(pod) ? readySince(pod) : (Date.parse(pod.metadata.creationTimestamp ?? '') || 0) + readyMs;
