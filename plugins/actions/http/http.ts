/**
 * The action plug-in `http`: starts a job of another system, such as a playbook of AWX, and follows it to its end. Its
 * metadata has the requests.
 */
import { errorMessage } from '../../addresses/error-facts';
import { type ActionPlugin, ActionPluginFailure, type ActionPluginRun, type ClearedRun } from '../action-plugin';
import type { OtherSystems } from './ask';
import { cancelJob, followToEnd } from './follow-job';
import { type HttpMetadata, judgeHttp } from './http-metadata';
import type { JobMemo, JobOfOthers, KeptJob } from './job-requests';
import { startOnce } from './start-once';

export const nameOfHttp = 'http';

/** The time that a request to cancel a job may take while the session is aborted. */
const cancelMs = 20_000;

export const createHttpPlugin = (systems: OtherSystems): ActionPlugin => ({
  name: nameOfHttp,
  async run(run) {
    const judged = judgeHttp(run.metadata);
    if ('fault' in judged) throw new ActionPluginFailure(`metadata ${judged.fault}`);
    const job = jobOf(systems, run, judged.value);
    try {
      const started = await startOnce(job, memoIn(run.kept));
      return { state: (await followToEnd(job, started)) ?? 'done' };
    } catch (error) {
      if (run.signal.aborted && run.isWorkerStopping?.() !== true) await cancelInTime(job);
      throw error;
    }
  },
  async clear(of) {
    const judged = judgeHttp(of.metadata);
    if ('fault' in judged) return undefined;
    const job = leftJob(systems, of, judged.value);
    // A system that refuses to tell leaves it open whether the job goes on.
    const left = await cancelJob(job, memoIn(of.kept)).catch((error: unknown) => errorMessage(error));
    return left && `the job (${left})`;
  },
});

interface JobInHand extends KeptJob {
  readonly memo: () => JobMemo | undefined;
}

const jobOf = (systems: OtherSystems, run: ActionPluginRun, metadata: HttpMetadata): JobInHand => {
  let memo = memoIn(run.kept);
  return {
    ...{ systems, metadata, signal: run.signal, log: run.log },
    given: givenOf(run.session.id, run.host),
    memo: () => memo,
    keep: async (kept) => {
      memo = kept;
      await run.keep?.(kept);
    },
    isWanted: () => run.isWanted?.() ?? Promise.resolve(true),
  };
};

const givenOf = (session: string, host: ActionPluginRun['host']) => ({
  session,
  host: host?.name ?? '',
  host_type: host?.type ?? '',
});

const leftJob = (systems: OtherSystems, { session, host }: ClearedRun, metadata: HttpMetadata): JobOfOthers => ({
  ...{ systems, metadata, given: givenOf(session.id, host) },
  ...{ signal: AbortSignal.timeout(cancelMs), log: () => undefined },
});

/** The host is not given back before the job is over (`clear`), so this one may fail. */
const cancelInTime = async (job: JobInHand): Promise<void> => {
  await cancelJob({ ...job, signal: AbortSignal.timeout(cancelMs) }, job.memo()).catch((error: unknown) => {
    job.log(`cancel: ${String(error)}`);
  });
};

/** The record holds what this plug-in has kept. */
const memoIn = (kept: unknown): JobMemo | undefined =>
  typeof kept === 'object' && kept !== null && 'key' in kept ? (kept as JobMemo) : undefined;
