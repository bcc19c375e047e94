/**
 * Counts the pods of a workload that are being made again and do not serve yet, within the time that the setting gives
 * them. A pod that has been there for longer and is not Ready is broken: it holds nobody up.
 */
import { hasEnded, isPodReady, type Pod, readySince } from '../objects/pods';

export interface WorkloadNow {
  readonly uid: string;
  /** All that there are, with a node or without. */
  readonly pods: readonly Pod[];
  /** The number that its owner wants; undefined: nobody tells it. */
  readonly replicas: number | undefined;
  /** A pod that is Ready again counts for this time still. */
  readonly recoverySeconds: number;
}

export interface AwayCounter {
  readonly count: (workload: WorkloadNow, nowMs: number) => number;
}

/** Remembers since when a workload has had fewer pods than it wants: nothing in the cluster tells that. */
export const createAwayCounter = (readySeconds: number): AwayCounter => {
  const fewerSince = new Map<string, number>();
  const missing = (uid: string, count: number, nowMs: number): number => {
    if (count <= 0) {
      fewerSince.delete(uid);
      return 0;
    }
    const sinceMs = fewerSince.get(uid) ?? nowMs;
    fewerSince.set(uid, sinceMs);
    return nowMs - sinceMs < readySeconds * 1000 ? count : 0;
  };
  return {
    count({ uid, pods, replicas, recoverySeconds }, nowMs) {
      const there = pods.filter((pod) => !hasEnded(pod));
      const staying = there.filter(({ metadata }) => metadata.deletionTimestamp === undefined);
      const starting = staying.filter((pod) => isComingBack(pod, { readySeconds, recoverySeconds }, nowMs));
      const away = starting.length + missing(uid, (replicas ?? staying.length) - staying.length, nowMs);
      // The place of a pod that still ends is counted with the action that ends it.
      return Math.max(0, away - (there.length - staying.length));
    },
  };
};

interface Terms {
  readonly readySeconds: number;
  readonly recoverySeconds: number;
}

const isComingBack = (pod: Pod, { readySeconds, recoverySeconds }: Terms, nowMs: number): boolean => {
  if (isPodReady(pod)) return nowMs - readySince(pod) < recoverySeconds * 1000;
  return nowMs - Date.parse(pod.metadata.creationTimestamp ?? '') < readySeconds * 1000;
};
