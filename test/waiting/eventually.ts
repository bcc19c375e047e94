/**
 * Waits for what a test is about. No verdict depends on how quick the machine is: waiting ends when the thing happens;
 * where progress can be seen, when nothing has moved for long; else after five minutes, at least ten times what
 * anything here usually takes. Looking may fail for a while, as where processes are killed.
 */
import { setTimeout as pause } from 'node:timers/promises';

export interface Awaited {
  /** What is waited for, in words, for the error. */
  readonly what: string;
  /** Milliseconds between two looks. Left out: 100 at first, and more in a long wait. */
  readonly pollMs?: number;
  /** True when the awaited state stays once it is there. Looks then come up to a second apart. */
  readonly isLasting?: boolean;
  /** A text that changes while work goes on. With it, waiting goes on for as long as that changes. */
  readonly progress?: () => Promise<string>;
  /** Facts for a person after a wait in vain, such as where a session stands. */
  readonly explain?: () => Promise<string>;
}

/** This error ends waiting at once: what is waited for cannot come any more. */
export class Hopeless extends Error {}

const firstPollMs = 100;
/** Things that are seen only for a while last longer. */
const longestPollMs = 300;
const longestLastingPollMs = 1_000;
/** A look costs the service some queries: a long wait loses a tenth of its time at most, for far fewer looks. */
const pollAfter = (waitedMs: number, { pollMs, isLasting }: Awaited): number =>
  pollMs ?? Math.min(Math.max(waitedMs / 10, firstPollMs), isLasting ? longestLastingPollMs : longestPollMs);
/** At least ten times what anything here usually takes. Milliseconds. */
export const longestMs = 300_000;
/** No timer of a test is as long, and no machine stands still for as long. */
const stillMs = 120_000;
const betweenProgressMs = 20_000;

/** When progress can be seen, the time begins anew after each step. */
const startClock = (progress: Awaited['progress']) => {
  let seen = '';
  let sinceMs = Date.now();
  let lookedMs = sinceMs;
  return {
    waitedMs: () => Date.now() - sinceMs,
    mostMs: progress === undefined ? longestMs : stillMs,
    async note(): Promise<void> {
      if (progress === undefined || Date.now() - lookedMs < betweenProgressMs) return;
      lookedMs = Date.now();
      const now = await progress().catch((error: unknown) => String(error));
      if (now !== seen) sinceMs = Date.now();
      seen = now;
    },
  };
};

/** @throws Error when it was waited for in vain, with the last error as its cause */
export const eventually = async <T>(awaited: Awaited | string, look: () => Promise<T | undefined>): Promise<T> => {
  const given: Awaited = typeof awaited === 'string' ? { what: awaited } : awaited;
  const { what, progress, explain = () => Promise.resolve('') } = given;
  const clock = startClock(progress);
  const beganMs = Date.now();
  for (;;) {
    // Asked before looking: a machine that stood still meanwhile gets another look.
    const isOver = clock.waitedMs() > clock.mostMs;
    let cause: unknown;
    try {
      const seen = await look();
      if (seen !== undefined) return seen;
    } catch (error) {
      if (error instanceof Hopeless) throw error;
      cause = error;
    }
    if (isOver) {
      const told = await explain().catch((error: unknown) => String(error));
      const how = `${clock.mostMs / 1000} s${progress === undefined ? '' : ' without any progress'}`;
      throw new Error(`waited in vain (${how}): ${what}. ${told}`, { cause });
    }
    await clock.note();
    await pause(pollAfter(Date.now() - beganMs, given));
  }
};
