/**
 * The Jobs by which plug-ins work on nodes of a Kubernetes cluster, as far as the plug-ins know of them. The cloud
 * driver has the implementation (clouds/kubernetes/jobs).
 */
import type { JobMetadata } from './job-metadata';

export interface JobOrder {
  /** The same for all runs of one action on one host. */
  readonly key: string;
  /** 1 for the first, and one more for each that an operator has asked for after a failure. */
  readonly number: number;
  readonly plugin: string;
  readonly node: string;
  readonly sessionId: string;
  readonly work: JobMetadata;
  /** Variables for every container. */
  readonly environment: Readonly<Record<string, string>>;
  /** The boot of the node before the Job, for a Job that reboots it. */
  readonly bootId?: string;
  /** The cluster ends the Job after this time, even when no worker is there to do so. */
  readonly deadlineSeconds?: number;
}

export interface NodeJob {
  readonly name: string;
  readonly phase: 'running' | 'complete' | 'failed';
  /** The plug-in's record has this failure, and the next run begins anew. */
  readonly isTold: boolean;
  /** It was let go. */
  readonly hasBegun: boolean;
  /** The `bootId` of its order. */
  readonly bootId?: string;
  /** The cluster's reason for a failure. */
  readonly reason?: string;
}

/** A Job without an end, of any session. */
export interface UnfinishedJob {
  readonly name: string;
  readonly plugin: string;
  readonly node: string;
  readonly sessionId: string;
}

export interface NodeState {
  /** Another one after each boot. Empty where the node does not tell. */
  readonly bootId: string;
  readonly isReady: boolean;
}

/** Every call may fail for a while: the plug-in then runs again. */
export interface NodeJobs {
  readonly namespace: string;
  findJobs(key: string): Promise<readonly NodeJob[]>;
  /** Undefined where somebody has deleted it. */
  findJob(name: string): Promise<NodeJob | undefined>;
  /**
   * Makes the Job, which runs nothing until it is let go; or attaches to the Job of this order. A text: the reason why
   * the cluster does not take the Job.
   */
  makeJob(order: JobOrder): Promise<NodeJob | string>;
  /** Lets the Job run. False: somebody has deleted it. */
  letGo(name: string): Promise<boolean>;
  markTold(name: string): Promise<void>;
  /** Ends its pods, and keeps the Job as the record of what it has done. */
  stopJob(name: string): Promise<void>;
  /** Ends it with its pods. */
  deleteJob(name: string): Promise<void>;
  /** The end of its output, or why there is none. */
  lastLines(name: string): Promise<string>;
  /** Why its pod does not run, where that is so. */
  whyNotRunning(name: string): Promise<string | undefined>;
  /** Names the pods of this order's Jobs that may still act on their node. Undefined: there are none. */
  whatStillRuns(key: string): Promise<string | undefined>;
  findUnfinished(): Promise<readonly UnfinishedJob[]>;
  findNode(name: string): Promise<NodeState | undefined>;
}
