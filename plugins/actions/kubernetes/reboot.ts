/**
 * The action plug-in `reboot`: reboots the node by a Job, and waits until the node is Ready again with another boot ID.
 * The Job has the boot ID from before as an annotation, so a node that was rebooted before a crash of the worker is not
 * rebooted again.
 */
import { type ActionPlugin, ActionPluginFailure } from '../action-plugin';
import { judgeReboot, type RebootMetadata } from './job-metadata';
import type { NodeJob, NodeJobs } from './node-jobs';
import { createWaitLog, findOrStartJob, nodeOf, type RunningJob, tellFailure, waitOn } from './run-job';

const usualPollMs = 3_000;
/** The time from the end of the Job until the node must be gone. */
const usualBeginSeconds = 300;

/** Asks the init of the node, in whose namespaces the command runs. */
const usualCommand = 'nsenter --target 1 --mount --uts --ipc --net --pid -- systemctl reboot'.split(' ');

const workOf = ({ begin_seconds: _, ...metadata }: RebootMetadata) => ({
  command: usualCommand,
  privileged: true,
  host_pid: true,
  ...metadata,
});

export interface RebootOptions {
  readonly pollMs?: number;
  /** In milliseconds. */
  readonly now?: () => number;
}

export const createRebootPlugin = (
  jobs: NodeJobs,
  { pollMs = usualPollMs, now = () => performance.now() }: RebootOptions = {},
): ActionPlugin => ({
  name: 'reboot',
  async run(run) {
    const node = nodeOf(run);
    const judged = judgeReboot(run.metadata);
    if ('fault' in judged) throw new ActionPluginFailure(`metadata ${judged.fault}`);
    const { bootId } = (await jobs.findNode(node)) ?? { bootId: '' };
    if (bootId === '') throw new ActionPluginFailure(`node ${node} does not tell its boot ID, or is not there`);
    const job = await findOrStartJob(jobs, run, { plugin: 'reboot', work: workOf(judged.value), bootId });
    const beginMs = (judged.value.begin_seconds ?? usualBeginSeconds) * 1000;
    const times = { pollMs, beginMs, now };
    return awaitReboot({ jobs, run, name: job.name }, { node, before: job.bootId ?? bootId, ...times });
  },
});

interface AwaitedReboot extends Required<RebootOptions> {
  readonly node: string;
  /** Its boot ID. */
  readonly before: string;
  readonly beginMs: number;
}

const awaitReboot = async (running: RunningJob, awaited: AwaitedReboot): Promise<{ readonly state: string }> => {
  const { jobs } = running;
  const { node, before, pollMs } = awaited;
  const watchStart = createStartWatch(running, awaited);
  for (;;) {
    const state = await jobs.findNode(node);
    const isUp = state?.isReady === true;
    if (isUp && state.bootId !== before) {
      return { state: `rebooted: boot ID ${before} before, ${state.bootId} now` };
    }
    await watchStart({ isUp });
    await waitOn(running, pollMs);
  }
};

/** Fails when the Job is over and the node stays up. A node that has not gone yet may go down in a moment. */
const createStartWatch = (running: RunningJob, { beginMs, now, ...awaited }: AwaitedReboot) => {
  const logWait = createWaitLog(running);
  let endedMs: number | undefined;
  return async ({ isUp }: { readonly isUp: boolean }): Promise<void> => {
    const job = await running.jobs.findJob(running.name);
    const hasEnded = job?.phase !== 'running';
    endedMs = isUp && hasEnded ? (endedMs ?? now()) : undefined;
    if (isUp && !hasEnded) await logWait();
    if (endedMs === undefined || now() - endedMs < beginMs) return;
    await tellFailure(running, notRebooted({ node: awaited.node, beginMs }, job));
  };
};

const notRebooted = ({ node, beginMs }: Pick<AwaitedReboot, 'node' | 'beginMs'>, job: NodeJob | undefined): string => {
  const how = job === undefined ? 'was deleted' : job.phase === 'complete' ? 'ended' : 'failed';
  return `${how}, and node ${node} was still up, with the same boot ID, ${String(beginMs / 1000)} s later`;
};
