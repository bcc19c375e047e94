/**
 * The action plug-in `reboot`: reboots the node by a Job, and waits until the node is Ready again with another boot ID.
 * The Job has the boot ID from before as an annotation, so a node that was rebooted before a crash of the worker is not
 * rebooted again. The kubelet dies before it can report the end of such a Job, and the kubelet of the next boot may run
 * the Job's pod once more. So the command reboots only the boot that it was made for, and the Job is stopped as soon as
 * there is another.
 */
import { type ActionPlugin, ActionPluginFailure } from '../action-plugin';
import { judgeReboot, type RebootMetadata } from './job-metadata';
import type { NodeJob, NodeJobs } from './node-jobs';
import {
  clearJobs,
  createWaitLog,
  findOrStartJob,
  leftJobs,
  onNode,
  type RunningJob,
  tellFailure,
  waitOn,
} from './run-job';

const usualPollMs = 3_000;
/** The time from the end of the Job until the node must be gone. */
const usualBeginSeconds = 300;

/** Asks the init of the node, in whose namespaces the command runs. Another boot than the order's is left alone. */
const usualCommand = [
  ...'nsenter --target 1 --mount --uts --ipc --net --pid -- sh -c'.split(' '),
  'if [ "$(cat /proc/sys/kernel/random/boot_id)" = "$MAINTENANCE_BOOT_ID" ]; then systemctl reboot; fi',
];

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
    const onItsNode = onNode(run);
    const node = onItsNode.host.name;
    const judged = judgeReboot(run.metadata);
    if ('fault' in judged) throw new ActionPluginFailure(`metadata ${judged.fault}`);
    const { bootId } = (await jobs.findNode(node)) ?? { bootId: '' };
    if (bootId === '') throw new ActionPluginFailure(`node ${node} does not tell its boot ID, or is not there`);
    const job = await findOrStartJob(jobs, onItsNode, { plugin: 'reboot', work: workOf(judged.value), bootId });
    const beginMs = (judged.value.begin_seconds ?? usualBeginSeconds) * 1000;
    const times = { pollMs, beginMs, now };
    return awaitReboot({ jobs, run, name: job.name }, { node, before: job.bootId ?? bootId, ...times });
  },
  clear: (of) => clearJobs(jobs, of, { plugin: 'reboot', keepsEnded: false }),
  findLeft: () => leftJobs(jobs, 'reboot'),
});

interface AwaitedReboot extends Required<RebootOptions> {
  readonly node: string;
  /** Its boot ID. */
  readonly before: string;
  readonly beginMs: number;
}

const awaitReboot = async (running: RunningJob, awaited: AwaitedReboot): Promise<{ readonly state: string }> => {
  const { jobs, name } = running;
  const { node, before, pollMs } = awaited;
  const watchStart = createStartWatch(running, awaited);
  let isStopped = false;
  for (;;) {
    const { bootId: now = before, isReady = false } = (await jobs.findNode(node)) ?? {};
    if (now === before || now === '') {
      await watchStart({ isUp: isReady });
    } else {
      // Not deleted before the end is on record: whoever takes over from this worker finds here which boot was before.
      if (!isStopped) await jobs.stopJob(name);
      isStopped = true;
      if (isReady) return { state: `rebooted: boot ID ${before} before, ${now} now` };
    }
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
