/** Looking: list, show. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Command } from 'commander';
import { phaseNamed } from '../../../rules/words/phases';
import type { Api } from '../api';
import { type CommandTools, type CommonFlags, describe, findSessionId } from '../command-tools';
import type { Console } from '../console';
import { noticesOf, type Output, show } from '../output';
import { hostColumns } from '../render/hosts';
import { sessionColumns, sessionLines } from '../render/session';
import { tableOf } from '../render/table';
import { sinceTime } from '../since';

export const addLookCommands = (program: Command, tools: CommandTools): void => {
  addList(program, tools);
  addShow(program, tools);
};

const addList = (program: Command, { apiFor, console }: CommandTools): void => {
  describe(program, {
    usage: 'list',
    summary: 'list the sessions with their progress',
    examples: [
      ['List all sessions', 'parley list'],
      ['Those that have failed this week', 'parley list --state failed --since 7d'],
      ['Who has worked on a host?', 'parley list --archived --host compute-7'],
      ['With whole IDs and workflows', 'parley list -o wide'],
      ['The IDs alone, for a script', 'parley list -o name'],
    ],
  })
    .alias('ls')
    .option('--state <states>', 'only of this progress, such as failed or running,paused')
    .option('--since <time>', 'only those that go on, or were created or ended since: 1h, 7d, or a time')
    .option('--host <name>', 'only with this host; * stands for any text')
    .option('--name <text>', 'only with this text in their name')
    .option('--archived', 'the archived ones in place of the others')
    .option('-w, --watch', 'again and again, until Ctrl-C')
    .action(async (flags: ListFlags) => {
      const api = await apiFor(flags);
      do {
        if (flags.watch && console.isTerminal) console.out(clearScreen);
        await showList({ api, console }, flags);
      } while (flags.watch && (await isToGoOn(console)));
    });
};

const clearScreen = '\u001b[H\u001b[2J';
const watchMs = 2_000;

const isToGoOn = async ({ stop }: Console): Promise<boolean> => {
  await sleep(watchMs, undefined, { signal: stop }).catch(() => undefined);
  return !stop.aborted;
};

const showList = async ({ api, console }: { readonly api: Api; readonly console: Console }, flags: ListFlags) => {
  const filters = filterOf(flags);
  const [sessions, problems] = await Promise.all([api.sessions(filters), api.problems()]);
  const nothing =
    Object.keys(filters).length > 0 ? 'There is no such session.' : 'There are no sessions: `parley create` makes one.';
  show(console, flags.output, {
    notices: noticesOf(problems),
    object: sessions,
    names: sessions.map(({ session_id: id }) => `session/${id}`),
    lines: (look) =>
      sessions.length === 0 ? [nothing] : tableOf(sessionColumns(Date.now(), problems.length === 0), sessions, look),
  });
};

interface ListFlags extends CommonFlags {
  readonly watch?: true;
  readonly state?: string;
  readonly since?: string;
  readonly host?: string;
  readonly name?: string;
  readonly archived?: true;
}

const filterOf = ({ state, since, host, name, archived }: ListFlags): Readonly<Record<string, string>> => ({
  ...(state !== undefined && { state }),
  ...(since !== undefined && { since: sinceTime(since, Date.now()).toISOString() }),
  ...(host !== undefined && { host }),
  ...(name !== undefined && { name }),
  ...(archived && { archived: 'true' }),
});

const addShow = (program: Command, { apiFor, console }: CommandTools): void => {
  describe(program, {
    usage: 'show [session]',
    summary: 'show one session: what happens, what is stuck and on whom, when it ends, what you can do',
    about:
      'SESSION is an ID, the first characters of one, or session/ID. Without it, the one session that is not over is meant.',
    examples: [
      ['Show the session that runs', 'parley show'],
      ['Show its hosts that wait or have failed', 'parley show 47479bca --hosts --phase waiting,failed'],
      ['Everything about it', 'parley show 47479bca --detail -o json'],
    ],
  })
    .option('--hosts', 'a table of its hosts instead')
    .option('--phase <phases>', 'with --hosts: only these phases, separated by commas')
    .option('--project <id>', 'with --hosts: only hosts with instances of this project')
    .option('--detail', 'with -o json or yaml: the whole detail')
    .action(async (given: string | undefined, flags: ShowFlags) => {
      const api = await apiFor(flags);
      const id = await findSessionId(api, given);
      if (flags.hosts !== true && flags.detail !== true) {
        await showSummary({ console, api, output: flags.output }, id);
        return;
      }
      const { phase, project } = flags;
      const query = {
        ...(phase && { phase: phase.split(',').map(phaseNamed).join(',') }),
        ...(project && { project }),
      };
      const [detail, problems] = await Promise.all([api.detail(id, query), api.problems()]);
      show(console, flags.output, {
        notices: noticesOf(problems),
        object: flags.detail === true ? detail : detail.hosts,
        names: detail.hosts.map(({ hostname }) => `host/${hostname}`),
        lines: (look) => tableOf(hostColumns(detail), detail.hosts, look),
      });
    });
};

export interface Showing {
  readonly console: Console;
  readonly api: Api;
  readonly output: Output | undefined;
}

export const showSummary = async ({ console, api, output }: Showing, id: string): Promise<void> => {
  const [summary, problems] = await Promise.all([api.summary(id), api.problems()]);
  show(console, output, {
    object: summary,
    names: [`session/${summary.session_id}`],
    lines: (look) => sessionLines(summary, look, problems.length === 0),
    notices: noticesOf(problems),
  });
};

interface ShowFlags extends CommonFlags {
  readonly hosts?: true;
  readonly detail?: true;
  readonly phase?: string;
  readonly project?: string;
}
