/** Watches a session until it is over: looks every few seconds and at each event, also when the API restarts. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { SessionSummaryBody } from '../../api/schemas/summary-schemas';
import type { Api } from './api';
import type { Console } from './console';
import { followEvents } from './event-stream';
import { CommandFailure, exitCodes } from './exit';
import { asOneOfMany, isForPeople, looksOf, noticesOf, type Output } from './output';
import { eventLine } from './render/event';
import { printable } from './render/terminal-text';
import { changeLine, watchPicture } from './render/watch';

export interface WatchedSession {
  readonly api: Api;
  readonly console: Console;
  readonly sessionId: string;
  readonly intervalMs: number;
  readonly timeoutMs: number;
  readonly output?: Output | undefined;
}

/** gone: it was deleted. */
export type WatchEnd = 'done' | 'failed' | 'aborted' | 'gone' | 'waited too long';

export interface Watched {
  readonly end: WatchEnd;
  /** Undefined: nobody has answered yet. */
  readonly summary: SessionSummaryBody | undefined;
}

const redrawMs = 1_000;
const leastBetweenMs = 200;

export const watchSession = async (watching: WatchedSession): Promise<Watched> => {
  const { console, timeoutMs, intervalMs } = watching;
  const over = new AbortController();
  const signal = AbortSignal.any([console.stop, over.signal]);
  const watch = new SessionWatch(watching);
  const following = watch.followEvents(signal);
  const startedMs = console.clock();
  try {
    for (;;) {
      const ending = await watch.look();
      if (ending !== undefined) return { end: ending, summary: watch.summary };
      if (console.clock() - startedMs >= timeoutMs) return { end: 'waited too long', summary: watch.summary };
      await watch.wait(intervalMs, signal);
      console.stop.throwIfAborted();
    }
  } finally {
    over.abort();
    await following;
    watch.leave();
  }
};

/** Owns what was seen last, and the picture of it on the screen. */
class SessionWatch {
  #summary: SessionSummaryBody | undefined;
  #seenMs = 0;
  #awaySinceMs: number | undefined;
  #problems: readonly string[] = [];
  #shown = 0;
  #eventCount = 0;
  readonly #events: string[] = [];

  /** A program reads lines, also on a terminal. */
  readonly #isPicture: boolean;

  constructor(private readonly watching: WatchedSession) {
    this.#isPicture = watching.console.isTerminal && isForPeople(watching.output);
  }

  async look(): Promise<WatchEnd | undefined> {
    const { api, console, sessionId } = this.watching;
    const begunMs = console.clock();
    try {
      const [summary, problems] = await Promise.all([api.summary(sessionId), api.problems()]);
      this.#see(summary, problems);
    } catch (error) {
      if (isGone(error)) return 'gone';
      // Nobody has answered yet: the address may be wrong.
      if (!isPassing(error) || this.#summary === undefined) throw error;
      if (this.#awaySinceMs === undefined) this.#note('the API does not answer; waiting');
      this.#awaySinceMs ??= begunMs;
    }
    this.#draw();
    return endingOf(this.#summary);
  }

  get summary(): SessionSummaryBody | undefined {
    return this.#summary;
  }

  /** Waits until the next look is due, or an event came; the picture counts down meanwhile. */
  async wait(intervalMs: number, signal: AbortSignal): Promise<void> {
    const { console } = this.watching;
    const untilMs = console.clock() + intervalMs;
    const before = this.#eventCount;
    let drawnMs = console.clock();
    while (console.clock() < untilMs && !signal.aborted && this.#eventCount === before) {
      await sleep(Math.min(leastBetweenMs, intervalMs), undefined, { signal }).catch(() => undefined);
      if (console.clock() - drawnMs < redrawMs) continue;
      drawnMs = console.clock();
      this.#draw();
    }
  }

  async followEvents(signal: AbortSignal): Promise<void> {
    const { api, output, sessionId } = this.watching;
    try {
      for await (const event of followEvents(api.client, { from: 'now', signal })) {
        if (event.envelope.payload['session_id'] !== sessionId) continue;
        const line = eventLine(event, true);
        this.#events.push(line);
        if (!this.#isPicture && isForPeople(output)) this.#tell(line);
        this.#eventCount += 1;
      }
    } catch (error) {
      // The looks go on without them.
      if (!signal.aborted) this.#events.push(error instanceof Error ? error.message : String(error));
    }
  }

  /** The last picture stays. */
  leave(): void {
    this.#shown = 0;
  }

  #see(summary: SessionSummaryBody, problems: readonly string[]): void {
    const { console } = this.watching;
    if (!this.#isPicture) this.#tellChange(summary);
    if (this.#awaySinceMs !== undefined) this.#note('the API answers again');
    if (problems.join() !== this.#problems.join()) {
      const lines = problems.length === 0 ? ['The service is ready again'] : noticesOf(problems);
      for (const line of lines) this.#note(line);
    }
    [this.#summary, this.#seenMs, this.#awaySinceMs] = [summary, console.clock(), undefined];
    this.#problems = problems;
  }

  #tellChange(summary: SessionSummaryBody): void {
    const { console, output } = this.watching;
    const line = changeLine(this.#summary, summary);
    if (line !== undefined) console.out(asOneOfMany(output, summary) ?? `${line}\n`);
  }

  /** The picture of a terminal says it by itself. */
  #note(line: string): void {
    const { console } = this.watching;
    if (!this.#isPicture) console.err(`${printable(line)}\n`);
  }

  #tell(line: string): void {
    this.watching.console.out(`${line}\n`);
  }

  /** Draws in one write, between the marks of a synchronized update, so that nothing flickers. */
  #draw(): void {
    const { console } = this.watching;
    const summary = this.#summary;
    if (!this.#isPicture || summary === undefined) return;
    const nowMs = console.clock();
    const lines = watchPicture(
      {
        summary,
        notices: noticesOf(this.#problems),
        ageSeconds: (nowMs - this.#seenMs) / 1000,
        events: this.#events,
        awaySeconds: this.#awaySinceMs === undefined ? undefined : (nowMs - this.#awaySinceMs) / 1000,
      },
      { ...looksOf(console), columns: console.columns() - 1, rows: console.rows() },
    );
    const back = this.#shown === 0 ? '' : `\u001b[${this.#shown}A\u001b[J`;
    console.out(`\u001b[?2026h${back}${lines.map((line) => `${line}\n`).join('')}\u001b[?2026l`);
    this.#shown = lines.length;
  }
}

const endingOf = (summary: SessionSummaryBody | undefined): WatchEnd | undefined => {
  const progress = summary?.progress;
  return progress === 'done' || progress === 'failed' || progress === 'aborted' ? progress : undefined;
};

const statusOfError = (error: unknown): number | undefined =>
  error instanceof CommandFailure && 'problem' in error ? (error.problem as { status: number }).status : undefined;

const isGone = (error: unknown): boolean => statusOfError(error) === 404;

/** The API or its database restarts, or the API has too much to do. */
const isPassing = (error: unknown): boolean => {
  if (error instanceof CommandFailure && error.exitCode === exitCodes.away) return true;
  const status = statusOfError(error) ?? 0;
  return status === 429 || status >= 500;
};
