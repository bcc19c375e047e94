/** Follows a job of another system to its end, and cancels it. */
import { setTimeout as pause } from 'node:timers/promises';
import { shownUrl } from '../../addresses/shown-url';
import { ActionPluginFailure } from '../action-plugin';
import { fillUrl, namesIn } from './fill';
import type { HttpCondition, HttpStep, JobRequest } from './http-metadata';
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
import { chosenFrom, holds, type JobAnswer, keptFrom } from './read-answer';
import { findStarted } from './start-once';

const usualEverySeconds = 5;
/** Some systems show a job only a while after they have started it. */
const unseenMs = 120_000;

/** How a step stands. failed: with the value that says it. unseen: the system does not know the job (404). */
type StandOfStep =
  | { readonly kind: 'over'; readonly memo: JobMemo; readonly shown: string | null }
  | { readonly kind: 'failed'; readonly because: string }
  | { readonly kind: 'goesOn' | 'unseen' }
  | { readonly kind: 'again'; readonly because: string };

const standOf = async (job: JobOfOthers, memo: JobMemo, step: HttpStep): Promise<StandOfStep> => {
  const asked = await look(job, memo, step.url);
  if (asked.kind === 'answered' && asked.answer.status === 404) return { kind: 'unseen' };
  const read = understood(asked, 'follow', step.url);
  if (read.kind === 'again') return read;
  const item = chosenFrom(step.from, read.answer.body, valuesOf(job, memo));
  return item === undefined ? { kind: 'goesOn' } : judgeItem({ job, memo, step }, item, read.answer.headers);
};

interface StepOfJob {
  readonly job: JobOfOthers;
  readonly memo: JobMemo;
  readonly step: HttpStep;
}

const judgeItem = ({ job, memo, step }: StepOfJob, item: unknown, headers: JobAnswer['headers']): StandOfStep => {
  const values = valuesOf(job, memo);
  const shown = textAt(item, step.show);
  if (step.failed && holds(step.failed, item, values)) {
    return { kind: 'failed', because: `the job has failed${whyAt(item, step.failed, shown)}` };
  }
  if (!holds(step.until, item, values)) return { kind: 'goesOn' };
  const kept = valuesFrom('follow', step.keep, { body: item, headers });
  const { stepsDone = 0 } = memo;
  return { kind: 'over', shown, memo: { ...memo, values: { ...memo.values, ...kept }, stepsDone: stepsDone + 1 } };
};

const mostShown = 1_000;

const textAt = (item: unknown, pointer: string | undefined): string | null => {
  if (pointer === undefined) return null;
  const kept = keptFrom({ shown: pointer }, item, {});
  return 'values' in kept ? (kept.values['shown'] ?? '').slice(-mostShown) : null;
};

const whyAt = (item: unknown, { pointer }: HttpCondition, shown: string | null): string => {
  const said = textAt(item, pointer);
  return `${said === null ? '' : ` (${said})`}${shown === null ? '' : `: ${shown}`}`;
};

/** @returns what the last step shows. @throws ActionPluginFailure where the job has failed, or cannot be followed */
export const followToEnd = async (job: KeptJob, started: JobMemo): Promise<string | null> => {
  let memo = started;
  let shown: string | null = null;
  const { follow = [] } = job.metadata;
  for (const step of follow.slice(memo.stepsDone ?? 0)) {
    const over = await followStep(job, memo, step);
    ({ memo, shown } = over);
    await job.keep(memo);
  }
  return shown;
};

const followStep = async (
  job: KeptJob,
  memo: JobMemo,
  step: HttpStep,
): Promise<Extract<StandOfStep, { readonly kind: 'over' }>> => {
  let seenAtMs = performance.now();
  for (;;) {
    const stand = await standOf(job, memo, step);
    if (stand.kind === 'over') return stand;
    if (stand.kind === 'failed') throw new ActionPluginFailure(stand.because);
    if (stand.kind !== 'unseen') seenAtMs = performance.now();
    else if (performance.now() - seenAtMs > unseenMs) {
      throw new ActionPluginFailure(`follow: ${shownUrl(fillUrl(step.url, valuesOf(job, memo)))} answers 404`);
    }
    if (stand.kind === 'again') job.log(stand.because);
    await pause((step.every_seconds ?? usualEverySeconds) * 1000, undefined, { signal: job.signal });
  }
};

/**
 * Asks for the end of a job, where it still goes on and the metadata says how.
 * @returns what is left of it, in words; undefined: nothing is
 */
export const cancelJob = async (job: JobOfOthers, known: JobMemo | undefined): Promise<string | undefined> => {
  const { cancel } = job.metadata;
  if (known === undefined || cancel === undefined) return undefined;
  const started = known.values === undefined ? await findStarted(job, known) : known;
  if (started === undefined) return perhapsLater(known);
  return 'because' in started ? started.because : cancelStarted(job, started, cancel);
};

const cancelStarted = async (job: JobOfOthers, started: JobMemo, cancel: JobRequest): Promise<string | undefined> => {
  const { follow = [] } = job.metadata;
  let memo = started;
  for (const step of follow.slice(memo.stepsDone ?? 0)) {
    const stand = await standOf(job, memo, step);
    if (stand.kind === 'failed') return undefined;
    if (stand.kind === 'unseen') return perhapsLater(memo);
    if (stand.kind !== 'over') {
      await sendCancel(job, memo, cancel);
      return stand.kind === 'again' ? stand.because : shownUrl(fillUrl(step.url, valuesOf(job, memo)));
    }
    ({ memo } = stand);
  }
  return undefined;
};

/** A job that nobody sees may still begin, a while after its start was asked for. */
const perhapsLater = ({ sentAtMs }: JobMemo): string | undefined =>
  Date.now() - sentAtMs < unseenMs ? 'it may still begin' : undefined;

/** Its values may not be known yet, such as those of a job that waits in a queue. */
const sendCancel = async (job: JobOfOthers, memo: JobMemo, cancel: JobRequest): Promise<void> => {
  const values = valuesOf(job, memo);
  if (namesIn(cancel).some((name) => values[name] === undefined)) return;
  const asked = await send(job, memo, cancel);
  if (asked.kind !== 'answered') job.log(`cancel: ${asked.because}`);
};
