/** Starts a job of another system once: a job that a worker has started before its death is found again by its key. */
import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { ActionPluginFailure } from '../action-plugin';
import {
  type JobMemo,
  type JobOfOthers,
  type KeptJob,
  look,
  send,
  understood,
  valuesFrom,
  valuesOf,
} from './job-requests';
import { chosenFrom, holds } from './read-answer';

/** The wait before a request is tried again that nobody has answered. */
const againMs = 5_000;

/** @returns the memo with the values of the job, which has been started now or before */
export const startOnce = async (job: KeptJob, known: JobMemo | undefined): Promise<JobMemo> => {
  let memo = known;
  while (memo?.values === undefined) {
    const found = memo && (await findStarted(job, memo));
    if (found !== undefined && 'because' in found) {
      job.log(found.because);
    } else {
      memo = found ?? (await startAnew(job, memo ?? { key: randomUUID(), sentAtMs: Date.now() }));
      await job.keep(memo);
    }
    if (memo?.values === undefined) await pause(againMs, undefined, { signal: job.signal });
  }
  return memo;
};

/** The memo is kept before the request is sent: whoever takes over knows that it may have been. */
const startAnew = async (job: KeptJob, memo: JobMemo): Promise<JobMemo> => {
  await job.keep(memo);
  if (!(await job.isWanted())) throw new ActionPluginFailure('its host is not in maintenance any more');
  return (await start(job, memo)) ?? memo;
};

/** Undefined: nobody knows whether it was started. */
const start = async (job: KeptJob, memo: JobMemo): Promise<JobMemo | undefined> => {
  const { start: request } = job.metadata;
  const read = understood(await send(job, memo, request), 'start', request.url);
  if (read.kind === 'again') {
    job.log(read.because);
    return undefined;
  }
  const { body, headers } = read.answer;
  return { ...memo, values: valuesFrom('start', request.keep, { body, headers }), stepsDone: 0 };
};

/** Nobody could be asked. */
interface NothingTold {
  readonly because: string;
}

/** A job that was started before, by its key. Undefined: none is found. */
export const findStarted = async (job: JobOfOthers, memo: JobMemo): Promise<JobMemo | NothingTold | undefined> => {
  const { find } = job.metadata;
  if (find === undefined) return undefined;
  const read = understood(await look(job, memo, find.url), 'find', find.url);
  if (read.kind === 'again') return { because: read.because };
  const item = chosenFrom(find.from, read.answer.body, valuesOf(job, memo));
  if (item === undefined || !holds(find.until, item, valuesOf(job, memo))) return undefined;
  const values = valuesFrom('find', find.keep, { body: item, headers: read.answer.headers });
  return { ...memo, values, stepsDone: 0 };
};
