/** The requests about a job of another system, with what is known of the job filled in, and what their answers mean. */
import { shownUrl } from '../../addresses/shown-url';
import { ActionPluginFailure } from '../action-plugin';
import { ask, type AskedSystem, type OtherSystems } from './ask';
import { fillUrl, fillValue, type Values } from './fill';
import type { HttpKeep, HttpMetadata, JobRequest } from './http-metadata';
import { type JobAnswer, keptFrom } from './read-answer';

/** The plug-in's record keeps it, so that whoever takes over finds the job. */
export interface JobMemo {
  /** Goes with the request that starts the job. */
  readonly key: string;
  /** When the request was sent first, in milliseconds by the clock of its worker. */
  readonly sentAtMs: number;
  /** Values out of the answers; left out: nobody knows whether the job was started. */
  readonly values?: Values;
  /** The number of steps that are over. */
  readonly stepsDone?: number;
}

export interface JobOfOthers {
  readonly systems: OtherSystems;
  readonly metadata: HttpMetadata;
  /** host, host_type and session. */
  readonly given: Values;
  readonly signal: AbortSignal;
  readonly log: (message: string) => void;
}

export interface KeptJob extends JobOfOthers {
  readonly keep: (memo: JobMemo) => Promise<void>;
  /** False when its host is not in maintenance any more. */
  readonly isWanted: () => Promise<boolean>;
}

export const valuesOf = ({ given }: JobOfOthers, memo: JobMemo): Values => ({
  ...memo.values,
  ...given,
  key: memo.key,
});

export const send = async (
  job: JobOfOthers,
  memo: JobMemo,
  { method, url, body, form }: JobRequest,
): Promise<AskedSystem> => {
  const values = valuesOf(job, memo);
  const filled = fillUrl(url, values);
  const headers = { ...job.metadata.headers, 'Idempotency-Key': memo.key };
  const common = { method: method ?? 'POST', url: filled, headers, values, signal: job.signal };
  if (form !== undefined) {
    const text = new URLSearchParams(fillValue(form, values) as Record<string, string>).toString();
    return ask(job.systems, { ...common, body: text, contentType: 'application/x-www-form-urlencoded' });
  }
  if (body === undefined) return ask(job.systems, common);
  const text = JSON.stringify(fillValue(body, values));
  return ask(job.systems, { ...common, body: text, contentType: 'application/json' });
};

export const look = (job: JobOfOthers, memo: JobMemo, url: string): Promise<AskedSystem> => {
  const values = valuesOf(job, memo);
  const { headers = {} } = job.metadata;
  return ask(job.systems, { method: 'GET', url: fillUrl(url, values), headers, values, signal: job.signal });
};

type Understood =
  { readonly kind: 'answer'; readonly answer: JobAnswer } | { readonly kind: 'again'; readonly because: string };

/** @throws ActionPluginFailure where another try would not help */
export const understood = (asked: AskedSystem, what: string, url: string): Understood => {
  if (asked.kind === 'forbidden') throw new ActionPluginFailure(`${what}: ${asked.because}`);
  if (asked.kind === 'none') return { kind: 'again', because: `${what}: ${asked.because}` };
  const { answer } = asked;
  if (answer.status >= 200 && answer.status < 300) return { kind: 'answer', answer };
  const because = `${what}: ${shownUrl(url)} answered ${answer.status}`;
  if (answer.status === 408 || answer.status === 429 || answer.status >= 500) return { kind: 'again', because };
  throw new ActionPluginFailure(because);
};

export const valuesFrom = (
  what: string,
  keep: HttpKeep | undefined,
  { body, headers }: Pick<JobAnswer, 'body' | 'headers'>,
): Values => {
  const kept = keptFrom(keep ?? {}, body, headers);
  if ('values' in kept) return kept.values;
  throw new ActionPluginFailure(`${what}: the answer has no ${kept.missing} to keep at its place`);
};
