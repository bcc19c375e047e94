/**
 * The waits of a program's start. Each says for what the program waits, has a bound, and ends when the program is told
 * to stop: a start that hangs in silence helps nobody.
 */
import { StartFault } from './start-fault';

export interface ProgramStart {
  /** Aborted when the program is told to stop. */
  readonly stopping: AbortSignal;
  /** Takes a line for whoever watches the start. */
  readonly tell: (line: string) => void;
}

export interface AwaitedAtStart {
  /** What the program waits for, in words that follow "waiting for". */
  readonly what: string;
  readonly limitSeconds: number;
  /** Left out: a person wonders after some seconds. */
  readonly tellEverySeconds?: number;
}

/** A program was told to stop before it had started. */
export class StoppedAtStart extends Error {
  override readonly name = 'StoppedAtStart';
}

const usualTellEverySeconds = 10;

const inSeconds = (sinceMs: number): string => String(Math.round((performance.now() - sinceMs) / 1_000));

/**
 * Waits for the work, which goes on where the wait ends before.
 * @throws StoppedAtStart when the program is told to stop, StartFault when the limit has passed, else the work's error
 */
export const waitAtStart = async <T>(
  { stopping, tell }: ProgramStart,
  { what, limitSeconds, tellEverySeconds = usualTellEverySeconds }: AwaitedAtStart,
  work: () => Promise<T>,
): Promise<T> => {
  if (stopping.aborted) throw new StoppedAtStart(`stopped before waiting for ${what}`);
  const sinceMs = performance.now();
  const ends: (() => void)[] = [];
  const ended = new Promise<never>((_, reject) => {
    const stop = () => reject(new StoppedAtStart(`stopped while waiting for ${what}`));
    const giveUp = () => reject(new StartFault(`waited ${String(limitSeconds)} s for ${what}, and gives up`));
    const limit = setTimeout(giveUp, limitSeconds * 1_000);
    const telling = setInterval(
      () => tell(`waiting for ${what}, for ${inSeconds(sinceMs)} s now`),
      tellEverySeconds * 1_000,
    );
    stopping.addEventListener('abort', stop, { once: true });
    ends.push(
      () => clearTimeout(limit),
      () => clearInterval(telling),
      () => stopping.removeEventListener('abort', stop),
    );
  });
  try {
    return await Promise.race([work(), ended]);
  } finally {
    for (const end of ends) end();
  }
};
