/** How commands end: exit codes that scripts can use (docs/command-line.md), and what a failure prints. */
import { type Command, CommanderError } from 'commander';
import type { Problem } from '../../api/problems/problem';
import { withShortIds } from '../../rules/words/names';
import { asSeen, fieldAsSeen } from '../../rules/words/what-they-see';

export const exitCodes = {
  done: 0,
  failed: 1,
  usage: 2,
  declined: 3,
  signIn: 4,
  endedBadly: 5,
  away: 6,
  interrupted: 130,
} as const;

/** An expected end of a command that is not its success. The message is for the user; help says what to do. */
export class CommandFailure extends Error {
  override readonly name = 'CommandFailure';

  constructor(
    message: string,
    readonly exitCode: number,
    readonly help: readonly string[] = [],
  ) {
    super(message);
  }
}

export const usageFailure = (message: string, ...help: string[]): CommandFailure =>
  new CommandFailure(message, exitCodes.usage, help);

/** The API has refused: its own words, the wrong fields, and what to do. */
export class RefusedByApi extends CommandFailure {
  constructor(
    readonly problem: Problem,
    readonly retryAfterSeconds?: number,
  ) {
    const { status, detail, errors, hint } = problem;
    const isSignIn = status === 401 || status === 403;
    super(asSeen(withShortIds(detail), 'terminal'), isSignIn ? exitCodes.signIn : exitCodes.failed, [
      // A refusal because of a state names it in its detail already.
      ...errors
        .filter(({ message }) => !detail.includes(message))
        .map(({ pointer, message }) => `${fieldAsSeen(pointer, 'terminal')} ${withShortIds(message)}`.trim()),
      asSeen(hint, 'terminal'),
      ...(status === 401
        ? ['set PARLEY_TOKEN (with --context: the variable that it names), or the OS_* variables of your cloud']
        : []),
    ]);
  }
}

/** Takes the user and the password out of each address in a text. */
export const withoutPasswords = (text: string): string => text.replaceAll(/\/\/\S*@/g, '//…@');

/** @param method of the request: all but GET change something */
export const apiAway = (url: string, cause: unknown, method = 'GET'): CommandFailure =>
  new CommandFailure(withoutPasswords(`no answer from the API at ${url}: ${reasonOf(cause)}`), exitCodes.away, [
    ...(method === 'GET' ? [] : ['the request may have been carried out: look before you repeat it']),
    'start the service, or name another address: --url, PARLEY_URL, or a context (parley context --help)',
  ]);

const reasonOf = (error: unknown): string => {
  if (!(error instanceof Error)) return String(error);
  return error.cause instanceof Error ? error.cause.message || error.message : error.message;
};

/** The first line names the fault; the others say how to mend it. */
const failureLines = (error: unknown): string[] =>
  error instanceof CommandFailure
    ? [`parley: ${error.message}`, ...error.help.filter((line) => line !== '').map((line) => `  ${line}`)]
    : [`parley: ${error instanceof Error ? error.message : String(error)}`];

/** Commander ends the process by itself otherwise, with 1 for wrong usage too. */
export const letUsEnd = (command: Command): void => {
  command.exitOverride();
  for (const one of command.commands) letUsEnd(one);
};

export interface CommandEnd {
  readonly exitCode: number;
  /** The lines for the standard error. */
  readonly lines: readonly string[];
}

export const endOf = (error: unknown, stop: AbortSignal): CommandEnd => {
  // Commander has written its words.
  if (error instanceof CommanderError)
    return { exitCode: error.exitCode === 0 ? exitCodes.done : exitCodes.usage, lines: [] };
  if (stop.aborted) return { exitCode: exitCodes.interrupted, lines: [] };
  return { exitCode: error instanceof CommandFailure ? error.exitCode : exitCodes.failed, lines: failureLines(error) };
};
