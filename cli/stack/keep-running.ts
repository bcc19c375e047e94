/** Starts a process of the stack again whenever it ends. The pauses grow while it ends soon after each start. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { ServiceProcess } from './service-process';

export interface KeptProcess {
  /** Stops the process and does not start it again. */
  readonly stop: () => Promise<void>;
}

interface ProcessWatch {
  readonly first: ServiceProcess;
  readonly startAgain: () => Promise<ServiceProcess>;
  readonly tell: (line: string) => void;
}

const firstPauseMs = 500;
const longestPauseMs = 30_000;
/** A process that ran this long has not ended soon. */
const longRunMs = 60_000;

const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));

class Keeper {
  private readonly ending = new AbortController();
  private running: ServiceProcess | undefined;
  private pauseMs = firstPauseMs;
  private readonly watching: Promise<void>;

  constructor(private readonly watch: ProcessWatch) {
    this.running = watch.first;
    this.watching = this.watchAndRestart();
  }

  async stop(): Promise<void> {
    this.ending.abort();
    await this.running?.stop();
    await this.watching;
    // a start in progress may have started a process in the meantime
    await this.running?.stop();
  }

  private async watchAndRestart(): Promise<void> {
    while (!this.isEnding()) {
      await this.untilEnded();
      if (this.isEnding()) return;
      await this.pause();
      if (!this.isEnding()) await this.startAgain();
    }
  }

  private isEnding(): boolean {
    return this.ending.signal.aborted;
  }

  private async untilEnded(): Promise<void> {
    if (this.running === undefined) return;
    const startedMs = Date.now();
    const end = await this.running.ended;
    if (this.isEnding()) return;
    if (Date.now() - startedMs > longRunMs) this.pauseMs = firstPauseMs;
    this.watch.tell(`${end}; starting it again`);
    this.running = undefined;
  }

  private async pause(): Promise<void> {
    await sleep(this.pauseMs, undefined, { signal: this.ending.signal }).catch(() => undefined);
    this.pauseMs = Math.min(this.pauseMs * 2, longestPauseMs);
  }

  private async startAgain(): Promise<void> {
    try {
      this.running = await this.watch.startAgain();
      this.watch.tell(`${this.running.name} runs again`);
    } catch (error) {
      this.watch.tell(messageOf(error));
    }
  }
}

export const keepRunning = (watch: ProcessWatch): KeptProcess => {
  const keeper = new Keeper(watch);
  return { stop: () => keeper.stop() };
};
