/** Commands of `parley` that speak to the API, typed in this process. */
import { Command } from 'commander';
import { createCommandTools } from '../../cli/client/command-tools';
import { addClientCommands } from '../../cli/client/commands';
import type { Console } from '../../cli/client/console';
import { endOf, letUsEnd } from '../../cli/client/exit';
import type { HangLimits } from '../../cli/client/unless-hung';

export interface Typed {
  readonly out: string;
  readonly err: string;
  readonly exitCode: number;
}

export interface Typing extends Partial<Pick<Console, 'isTerminal' | 'isAnswerable' | 'ask' | 'columns' | 'rows'>> {
  readonly env?: NodeJS.ProcessEnv;
  readonly input?: string;
  readonly patience?: HangLimits;
  readonly stop?: AbortSignal;
  /** Told what is printed, as it comes. */
  readonly onOut?: (text: string) => void;
  readonly onErr?: (text: string) => void;
}

/** Types `parley` with these arguments, in this process. @param api its address */
export const type = async (
  api: { readonly url: string },
  args: readonly string[],
  typing: Typing = {},
): Promise<Typed> => {
  let [out, err] = ['', ''];
  const { env = {}, input = '', stop = new AbortController().signal, onOut, onErr, patience, ...terminal } = typing;
  const console: Console = {
    env: { PARLEY_URL: api.url, PARLEY_CONFIG: '/nowhere/config.yaml', ...env },
    out: (text) => {
      out += text;
      onOut?.(text);
    },
    err: (text) => {
      err += text;
      onErr?.(text);
    },
    isTerminal: false,
    isAnswerable: false,
    columns: () => Infinity,
    rows: () => 24,
    ask: () => Promise.resolve(''),
    readInput: () => Promise.resolve(input),
    isColoured: false,
    clock: () => performance.now(),
    stop,
    ...terminal,
  };
  const program = new Command('parley').configureOutput({ writeOut: console.out, writeErr: console.err });
  addClientCommands(program, createCommandTools(console, patience));
  letUsEnd(program);
  try {
    await program.parseAsync(args, { from: 'user' });
    return { out, err, exitCode: 0 };
  } catch (error) {
    const { exitCode, lines } = endOf(error, stop);
    return { out, err: err + lines.map((line) => `${line}\n`).join(''), exitCode };
  }
};
