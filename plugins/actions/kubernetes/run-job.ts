/**
 * Runs a Job on a node and follows it. It looks first: a Job that was begun before a crash is followed, and one that
 * has ended is told. Only a failure that is on record already is run again.
 */
import { createHash } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { ActionPluginFailure, type ActionPluginRun, type ClearedRun, type LeftWork } from '../action-plugin';
import type { JobMetadata } from './job-metadata';
import type { JobOrder, NodeJob, NodeJobs } from './node-jobs';

export interface RunningJob {
  readonly jobs: NodeJobs;
  readonly run: ActionPluginRun;
  readonly name: string;
}

type RunOnNode = ActionPluginRun & ClearedRun;

/** @throws ActionPluginFailure for `pre` and `post`, which run on no host */
export const onNode = (run: ActionPluginRun): RunOnNode => {
  const { host } = run;
  if (host !== undefined) return { ...run, host };
  throw new ActionPluginFailure('it works on a node: give the action the type host, compute or controller');
};

/** The same for all runs of one action on one host. An action with other metadata is another one. */
const keyOf = (plugin: string, { session, host, metadata }: ClearedRun): string =>
  createHash('sha256')
    .update(JSON.stringify([session.id, host.name, plugin, metadata]))
    .digest('hex')
    .slice(0, 16);

const environmentOf = (
  { session, host, metadata }: RunOnNode,
  { bootId }: Pick<JobToRun, 'bootId'>,
): Readonly<Record<string, string>> => ({
  MAINTENANCE_SESSION_ID: session.id,
  MAINTENANCE_WORKFLOW: session.workflow,
  MAINTENANCE_STATE: session.state,
  MAINTENANCE_HOST: host.name,
  MAINTENANCE_HOST_TYPE: host.type,
  MAINTENANCE_METADATA: JSON.stringify(metadata),
  ...(bootId !== undefined && { MAINTENANCE_BOOT_ID: bootId }),
});

/** A worker that follows the Job ends it first, and knows better what to tell. */
const deadlineMarginSeconds = 60;

const describe = ({ jobs, name }: Pick<RunningJob, 'jobs' | 'name'>): string =>
  `Job ${name} (namespace ${jobs.namespace})`;

export interface JobToRun {
  readonly plugin: string;
  readonly work: JobMetadata;
  readonly bootId?: string;
}

/**
 * The Job of this action that is not yet on record, or else a new one. A worker that was silent for long may find its
 * host given back: then its Job never runs. Whoever gives a host back deletes its Jobs, and those that run nothing yet.
 */
export const findOrStartJob = async (jobs: NodeJobs, run: RunOnNode, toRun: JobToRun): Promise<NodeJob> => {
  const job = await findOrMakeJob(jobs, run, toRun);
  if (job.hasBegun || job.phase !== 'running') return job;
  if ((await run.isWanted?.()) !== false && (await jobs.letGo(job.name))) return job;
  await jobs.deleteJob(job.name);
  const { name } = job;
  throw new ActionPluginFailure(`${describe({ jobs, name })} did not begin: its host is not in maintenance any more`);
};

const findOrMakeJob = async (jobs: NodeJobs, run: RunOnNode, toRun: JobToRun): Promise<NodeJob> => {
  const key = keyOf(toRun.plugin, run);
  const earlier = await jobs.findJobs(key);
  const open = earlier.find(({ phase, isTold }) => phase !== 'failed' || !isTold);
  if (open !== undefined) return open;
  const order: JobOrder = {
    key,
    number: earlier.length + 1,
    node: run.host.name,
    sessionId: run.session.id,
    environment: environmentOf(run, toRun),
    ...(run.limitSeconds !== undefined && { deadlineSeconds: Math.ceil(run.limitSeconds) + deadlineMarginSeconds }),
    ...toRun,
  };
  const made = await jobs.makeJob(order);
  if (typeof made !== 'string') return made;
  throw new ActionPluginFailure(`the cluster does not take its Job: ${made}`);
};

/** @throws ActionPluginFailure with the reason and the end of the output, after which the next run begins anew */
export const tellFailure = async (running: RunningJob, reason: string): Promise<never> => {
  const lines = await running.jobs.lastLines(running.name);
  await running.jobs.markTold(running.name);
  throw new ActionPluginFailure(`${describe(running)} ${reason}: ${lines}`);
};

/**
 * Waits a moment. When the action is aborted, or its time is over, it ends the Job. When only this worker stops, the
 * Job goes on, and another worker follows it.
 * @throws the reason of the signal, or ActionPluginFailure that says how far the Job was
 */
export const waitOn = async (running: RunningJob, milliseconds: number): Promise<void> => {
  const { jobs, run, name } = running;
  try {
    await pause(milliseconds, undefined, { signal: run.signal });
  } catch (error) {
    if (run.isWorkerStopping?.() === true) throw error;
    const waits = await jobs.whyNotRunning(name);
    const lines = waits ?? (await jobs.lastLines(name));
    await jobs.deleteJob(name);
    throw new ActionPluginFailure(`${describe(running)} was ended: ${lines}`, { cause: error });
  }
};

/** Logs why the pod of a Job does not run, whenever the reason changes. */
export const createWaitLog = ({ jobs, run, name }: RunningJob): (() => Promise<void>) => {
  let last: string | undefined;
  return async () => {
    const reason = await jobs.whyNotRunning(name);
    if (reason !== undefined && reason !== last) run.log(`Job ${name} does not run yet: ${reason}`);
    last = reason;
  };
};

export interface ClearedJobs {
  readonly plugin: string;
  /** Keeps those that have ended, whose output people may want. */
  readonly keepsEnded: boolean;
}

/** Ends what is left of the Jobs of one action. @returns the pods of theirs that have not ended yet */
export const clearJobs = async (
  jobs: NodeJobs,
  run: ClearedRun,
  { plugin, keepsEnded }: ClearedJobs,
): Promise<string | undefined> => {
  const key = keyOf(plugin, run);
  for (const { name, phase } of await jobs.findJobs(key)) {
    if (phase === 'running' || !keepsEnded) await jobs.deleteJob(name);
  }
  return jobs.whatStillRuns(key);
};

/** The Jobs of a plug-in that have no end, of all sessions. */
export const leftJobs = async (jobs: NodeJobs, plugin: string): Promise<readonly LeftWork[]> =>
  (await jobs.findUnfinished())
    .filter((job) => job.plugin === plugin)
    .map(({ name, node, sessionId }) => ({
      ...{ sessionId, hostname: node, name: describe({ jobs, name }) },
      remove: () => jobs.deleteJob(name),
    }));
