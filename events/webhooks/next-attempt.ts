/**
 * Decides what follows from a receiver's answer: when the next attempt is, and when no more follows. Pure: time and
 * chance come in as arguments.
 */

/** The result of one attempt. */
export type ReceiverAnswer =
  | { readonly kind: 'status'; readonly status: number; readonly retryAfterMs?: number }
  /** No answer, in time or at all. */
  | { readonly kind: 'none'; readonly because: string }
  /** Nothing was sent: the address is not allowed (any more), or leads where no request may go. */
  | { readonly kind: 'forbidden'; readonly because: string };

export type Verdict =
  | { readonly kind: 'taken' }
  /** The receiver wants no more events. */
  | { readonly kind: 'switchOff'; readonly because: string }
  /** @property slowsDown the other sessions' events wait as long */
  | { readonly kind: 'retry'; readonly afterMs: number; readonly because: string; readonly slowsDown: boolean }
  | { readonly kind: 'giveUp'; readonly because: string };

export interface DeliveryCourse {
  /** Attempts that failed before this one. */
  readonly attempts: number;
  /** The age since the event was recorded. */
  readonly ageMs: number;
  /** A random number from 0 to 1. */
  readonly chance: number;
}

/** A delivery that has failed for this long is given up. */
export const patienceMs = 86_400_000;

/** Windows of questions may be 20 s long: the first attempts follow each other quickly. */
const firstWaitsMs = [2_000, 5_000, 10_000, 30_000, 60_000] as const;
const longestWaitMs = 3_600_000;
/** Later waits are up to this share longer or shorter, so that those who failed together do not come back together. */
const jitter = 0.2;
/** The least that is waited where a receiver, or a proxy before it, says that it is overloaded. */
const slowMs = 30_000;

export const verdictOnDelivery = (answer: ReceiverAnswer, course: DeliveryCourse): Verdict => {
  if (answer.kind !== 'status') return retryOrGiveUp(answer.because, course, {});
  const { status, retryAfterMs } = answer;
  if (status >= 200 && status < 300) return { kind: 'taken' };
  if (status === 410) return { kind: 'switchOff', because: 'the receiver answered 410: it wants no more events' };
  const isOverloaded = [429, 502, 504].includes(status);
  return retryOrGiveUp(whyFailed(status), course, {
    leastMs: Math.max(retryAfterMs ?? 0, isOverloaded ? slowMs : 0),
    slowsDown: isOverloaded || retryAfterMs !== undefined,
  });
};

const whyFailed = (status: number): string =>
  status >= 300 && status < 400
    ? `the receiver answered ${status}, a redirect, which is not followed`
    : `the receiver answered ${status}`;

const retryOrGiveUp = (
  because: string,
  { attempts, ageMs, chance }: DeliveryCourse,
  { leastMs = 0, slowsDown = false }: { readonly leastMs?: number; readonly slowsDown?: boolean },
): Verdict => {
  const leftMs = patienceMs - ageMs;
  if (leftMs <= 0) return { kind: 'giveUp', because };
  // The last attempt is at the end of the day, whatever the receiver asked for.
  const afterMs = Math.min(Math.max(waitMs(attempts, chance), leastMs), leftMs);
  return { kind: 'retry', afterMs: Math.round(afterMs), because, slowsDown };
};

/** 2, 5, 10, 30 and 60 s, then twice as long each time, up to an hour. */
const waitMs = (attempts: number, chance: number): number => {
  const first = firstWaitsMs[attempts];
  if (first !== undefined) return first;
  const doubled = 60_000 * 2 ** (attempts - firstWaitsMs.length + 1);
  return Math.min(doubled, longestWaitMs) * (1 + jitter * (2 * chance - 1));
};

/** The header Retry-After: seconds, or a date. Undefined when it is neither. */
export const parseRetryAfter = (header: string | undefined, nowMs: number): number | undefined => {
  if (header === undefined) return undefined;
  if (/^\d{1,9}$/.test(header.trim())) return Number(header) * 1000;
  // HTTP's dates begin with a day of the week. Date.parse also takes texts that are none.
  const atMs = /^[A-Z][a-z]+, /.test(header) ? Date.parse(header) : Number.NaN;
  return Number.isNaN(atMs) ? undefined : Math.max(0, atMs - nowMs);
};
