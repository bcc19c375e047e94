/**
 * The action plug-in `job`: runs a Kubernetes Job on the node that is maintained, and follows it. Its metadata has the
 * image and the command, or a whole pod template.
 */
import { type ActionPlugin, ActionPluginFailure } from '../action-plugin';
import { judgeJob } from './job-metadata';
import type { NodeJobs } from './node-jobs';
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

export const createJobPlugin = (jobs: NodeJobs, { pollMs = usualPollMs } = {}): ActionPlugin => ({
  name: 'job',
  async run(run) {
    const onItsNode = onNode(run);
    const judged = judgeJob(run.metadata);
    if ('fault' in judged) throw new ActionPluginFailure(`metadata ${judged.fault}`);
    const { name } = await findOrStartJob(jobs, onItsNode, { plugin: 'job', work: judged.value });
    return followJob({ jobs, run, name }, pollMs);
  },
  clear: (of) => clearJobs(jobs, of, { plugin: 'job', keepsEnded: true }),
  findLeft: () => leftJobs(jobs, 'job'),
});

const followJob = async (running: RunningJob, pollMs: number): Promise<{ readonly state: string | null }> => {
  const { jobs, name } = running;
  const logWait = createWaitLog(running);
  for (;;) {
    const job = await jobs.findJob(name);
    if (job === undefined) throw new ActionPluginFailure(deletedByOthers(running));
    if (job.phase === 'complete') return { state: await jobs.lastLines(name) };
    if (job.phase === 'failed') await tellFailure(running, `failed (${job.reason ?? 'no reason given'})`);
    await logWait();
    await waitOn(running, pollMs);
  }
};

export const deletedByOthers = ({ jobs, name }: Pick<RunningJob, 'jobs' | 'name'>): string =>
  `somebody has deleted Job ${name} (namespace ${jobs.namespace}) before its end was seen; look at the node, then ` +
  'resume the session, which runs it again';
