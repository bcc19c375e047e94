/** `parley watch`: a live view of a session. */
import { type Command, InvalidArgumentError } from 'commander';
import type { SessionSummaryBody } from '../../../api/schemas/summary-schemas';
import { shortId } from '../../../rules/words/times';
import { type CommandTools, type CommonFlags, describe, findSessionId } from '../command-tools';
import { CommandFailure, exitCodes } from '../exit';
import { isForPeople } from '../output';
import { sentence } from '../render/terminal-text';
import { type WatchEnd, watchSession } from '../watch-session';

interface WatchFlags extends CommonFlags {
  readonly exitStatus?: true;
  readonly interval: number;
  readonly timeout?: number;
}

const seconds = (text: string): number => {
  const value = Number(text.replace(/s$/, ''));
  if (value > 0) return value;
  throw new InvalidArgumentError('a number of seconds above 0 is needed.');
};

const endings: Readonly<Record<WatchEnd, string>> = {
  done: 'is done',
  failed: 'has failed',
  aborted: 'was aborted',
  gone: 'was deleted',
  'waited too long': 'is not over yet; it goes on',
};

/** The picture on a terminal has told why. */
const failureOf = (
  summary: SessionSummaryBody | undefined,
  isPictured: boolean,
): readonly [string, readonly string[]] => {
  const blocker = summary?.blockers.find(({ kind }) => kind === 'session_failed');
  if (summary === undefined || blocker === undefined) return ['', []];
  const next = `parley continue ${shortId(summary.session_id)}`;
  return isPictured ? ['', [next]] : [`: ${sentence(blocker.because)}`, [`${blocker.help}: ${next}`]];
};

export const addWatchCommand = (program: Command, { apiFor, console }: CommandTools): void => {
  describe(program, {
    usage: 'watch [session]',
    summary: 'watch a session until it is over: progress and expected end, what waits for whom, last events',
    about:
      'Without a terminal it prints a line whenever something changes. It goes on when the API restarts. Ctrl-C ends ' +
      'the watching, not the session.',
    examples: [
      ['Watch the session that runs', 'parley watch'],
      ['For a program: the session as a line of JSON whenever it changes', 'parley watch 47479bca -o json'],
      ['Wait in a script: 0 only when it is done', 'parley watch 47479bca --exit-status --timeout 3600'],
    ],
  })
    .option('--exit-status', 'exit code 5 when the session has failed or was deleted')
    .option('--interval <seconds>', 'how often to look, where no event comes', seconds, 2)
    .option('--timeout <seconds>', 'give up after this time, with exit code 3', seconds)
    .action(async (given: string | undefined, flags: WatchFlags) => {
      const api = await apiFor(flags);
      const sessionId = await findSessionId(api, given);
      const timeoutMs = (flags.timeout ?? Infinity) * 1000;
      const { output } = flags;
      const intervalMs = flags.interval * 1000;
      const { end, summary } = await watchSession({ api, console, sessionId, intervalMs, timeoutMs, output });
      const name = `session/${shortId(sessionId)} ${endings[end]}`;
      if (end === 'waited too long') throw new CommandFailure(name, exitCodes.declined);
      const isPictured = console.isTerminal && isForPeople(output);
      const [why, help] = end === 'failed' ? failureOf(summary, isPictured) : ['', []];
      const words = `${name}${why}`;
      if (end !== 'done' && flags.exitStatus === true) throw new CommandFailure(words, exitCodes.endedBadly, help);
      const say = isForPeople(output) ? console.out : console.err;
      say([words, ...help.map((line) => `  ${line}`), ''].join('\n'));
    });
};
