/** The terminal, the environment and the clock, as a command uses them: a test needs no real terminal. */
import { askOn } from './ask-on';
import { columnsOf } from './render/terminal-text';

export interface Console {
  readonly env: NodeJS.ProcessEnv;
  /** Results. */
  readonly out: (text: string) => void;
  /** Everything else. */
  readonly err: (text: string) => void;
  readonly isTerminal: boolean;
  /** Somebody can answer a question. */
  readonly isAnswerable: boolean;
  readonly columns: () => number;
  readonly rows: () => number;
  readonly ask: (question: string) => Promise<string>;
  readonly readInput: () => Promise<string>;
  readonly isColoured: boolean;
  /** Milliseconds that only grow. */
  readonly clock: () => number;
  /** Aborted by Ctrl-C. */
  readonly stop: AbortSignal;
}

const usualRows = 24;

const readAll = async (): Promise<string> => {
  const parts: string[] = [];
  process.stdin.setEncoding('utf8');
  for await (const part of process.stdin) parts.push(String(part));
  return parts.join('');
};

const wantsColour = (env: NodeJS.ProcessEnv): boolean =>
  process.stdout.isTTY && (env['NO_COLOR'] ?? '') === '' && env['TERM'] !== 'dumb';

export const processConsole = (stop: AbortSignal): Console => ({
  env: process.env,
  out: (text) => void process.stdout.write(text),
  err: (text) => void process.stderr.write(text),
  isTerminal: process.stdout.isTTY,
  isAnswerable: process.stdin.isTTY && process.stderr.isTTY,
  columns: () => columnsOf(process.stdout),
  rows: () => process.stdout.rows || usualRows,
  ask: (question) =>
    askOn(question, {
      input: process.stdin,
      output: process.stderr,
      stop,
      interrupt: () => process.kill(process.pid, 'SIGINT'),
    }),
  readInput: readAll,
  isColoured: wantsColour(process.env),
  clock: () => performance.now(),
  stop,
});
