/**
 * Runs a program from its beginning to its exit code. A program that has ended, well or badly, ends its process within
 * seconds, whatever is still open: a supervisor can start it again, and nobody takes its metrics for those of a running
 * one.
 */
import { StartFault } from '../startup/start-fault';
import { stopOnSignals } from '../startup/stop-on-signals';
import { StoppedAtStart } from '../startup/wait-at-start';
import { createLogger } from './logger';
import { SettingsError } from './settings';

/** The time for what the program has written to arrive, and for its connections to close. */
const lastWordsMs = 2_000;

const endProcess = (): void => {
  setTimeout(() => process.exit(), lastWordsMs).unref();
};

/** The signals to stop are watched from the beginning: the first process of a container ignores them otherwise. */
export type Main = (stopping: AbortSignal) => Promise<void>;

const run = async (main: Main, tell: (error: unknown) => void): Promise<void> => {
  try {
    await main(stopOnSignals());
  } catch (error) {
    process.exitCode = 1;
    tell(error);
  }
  endProcess();
};

/**
 * Runs a program that serves until it is told to stop. A fault of its surroundings is told in its own words; any other
 * is logged with its stack. The log uses no settings, because they may not have been read yet.
 */
export const runService = (name: string, main: Main): void =>
  void run(main, (error) => {
    if (error instanceof StoppedAtStart) process.exitCode = 0;
    if (error instanceof StoppedAtStart) console.error(`${name}: ${error.message}`);
    else if (error instanceof SettingsError || error instanceof StartFault) console.error(`${name}: ${error.message}`);
    else createLogger({ logLevel: 'info' }, name).fatal({ err: error }, `the ${name} has ended`);
  });

/** Runs a program that does one thing. What went wrong is told by its message. */
export const runTool = (name: string, main: Main): void =>
  void run(main, (error) => {
    console.error(`${name}: ${error instanceof Error ? error.message : String(error)}`);
  });
