/** Steering: pause, resume, abort, continue, delete, set, patch, hosts. */
import type { Command } from 'commander';
import type { SteeredHostBody } from '../../../api/schemas/host-request-schemas';
import type { SessionInFlightBody } from '../../../api/schemas/session-schemas';
import type { ChangeSessionBody } from '../../../api/schemas/steering-schemas';
import type { HostRequest } from '../../../rules/requests/host-request';
import type { HostLabels } from '../../../rules/selectors/labels';
import { parseSelector, selects } from '../../../rules/selectors/selector';
import { phaseInWords } from '../../../rules/words/phases';
import { count, shortId } from '../../../rules/words/times';
import { type CommandTools, type CommonFlags, confirmByName, describe, findSessionId } from '../command-tools';
import { usageFailure } from '../exit';
import { hostsNamed, sessionOfHost } from '../host-names';
import { dictionaryIn, fieldsIn, readInputFile } from '../input-file';
import { oneByOne } from '../one-by-one';
import { done, show } from '../output';
import { cloudHostColumns } from '../render/hosts';
import { tableOf } from '../render/table';
import { parseYaml } from '../yaml';

export const addSessionChanges = (program: Command, tools: CommandTools): void => {
  addRequests(program, tools);
  addContinue(program, tools);
  addArchive(program, tools);
  addDelete(program, tools);
  addSet(program, tools);
  addPatch(program, tools);
  addHosts(program, tools);
};

interface YesFlags extends CommonFlags {
  readonly yes?: true;
}

const inFlightLines = ({ in_flight: flying, taken_up: isTakenUp }: SessionInFlightBody): string[] => {
  const parts = [
    count(flying.hosts.length, 'host'),
    count(flying.instances.length, 'move'),
    count(flying.questions.length, 'question'),
    count(flying.plugins.length, 'plug-in'),
  ];
  return [
    `in flight: ${parts.join(', ')}`,
    ...(isTakenUp ? [] : ['no worker has confirmed it yet; it is stored, and holds']),
  ];
};

const requests = [
  { request: 'pause', words: 'paused', summary: 'let nothing new begin; everything in flight ends' },
  { request: 'resume', words: 'resumed', summary: 'let a paused session go on' },
  { request: 'abort', words: 'aborting', summary: 'stop a session: it has failed once nothing is in flight' },
] as const;

const addRequests = (program: Command, tools: CommandTools): void => {
  const { apiFor, console } = tools;
  for (const { request, words, summary } of requests) {
    const command = describe(program, {
      isChange: true,
      usage: `${request} [session]`,
      summary,
      examples: [[`Let it ${request}`, `parley ${request} 47479bca${request === 'abort' ? ' --yes' : ''}`]],
    });
    if (request === 'abort') command.option('-y, --yes', 'do not ask');
    command.action(async (given: string | undefined, flags: YesFlags) => {
      const api = await apiFor(flags);
      const id = await findSessionId(api, given);
      if (request === 'abort') {
        await confirmByName(tools, { what: `abort session ${id}`, name: shortId(id), yes: flags.yes === true });
      }
      const answer = await api.request(id, request);
      show(console, flags.output, done(`session/${id}`, words, { object: answer, more: inFlightLines(answer) }));
    });
  }
};

const addContinue = (program: Command, { apiFor, console }: CommandTools): void => {
  describe(program, {
    isChange: true,
    usage: 'continue [session]',
    summary: 'continue a session that has failed, once you have repaired the cause',
    examples: [
      ['From the state in which it failed', 'parley continue 47479bca'],
      ['From an earlier state', 'parley continue 47479bca --state PLANNED_MAINTENANCE'],
    ],
  })
    .option('--state <state>', 'a state that the session has entered before')
    .action(async (given: string | undefined, flags: CommonFlags & { readonly state?: string }) => {
      const api = await apiFor(flags);
      const id = await findSessionId(api, given);
      const answer = await api.continueFrom(id, flags.state);
      show(console, flags.output, done(`session/${id}`, `continues from ${answer.state}`, { object: answer }));
    });
};

const addArchive = (program: Command, { apiFor, console }: CommandTools): void => {
  describe(program, {
    isChange: true,
    usage: 'archive [session]',
    summary: 'put a session that is over on record: it gives its hosts back, and leaves the list',
    examples: [
      ['Once it is done', 'parley archive 47479bca'],
      ['The archived sessions of a week', 'parley list --archived --since 7d'],
    ],
  }).action(async (given: string | undefined, flags: CommonFlags) => {
    const api = await apiFor(flags);
    const id = await findSessionId(api, given);
    const answer = await api.archive(id);
    const words = answer.archived ? 'archived' : 'gives its hosts back, and is archived then';
    show(console, flags.output, done(`session/${id}`, words, { object: answer }));
  });
};

const addDelete = (program: Command, tools: CommandTools): void => {
  const { apiFor, console } = tools;
  describe(program, {
    isChange: true,
    usage: 'delete <session>',
    summary: 'remove a session with its records; one that is not over is aborted first (archive keeps the records)',
    examples: [['Without a question', 'parley delete 47479bca --yes']],
  })
    .option('-y, --yes', 'do not ask')
    .action(async (given: string, flags: YesFlags) => {
      const api = await apiFor(flags);
      const id = await findSessionId(api, given);
      await confirmByName(tools, { what: `remove session ${id}`, name: shortId(id), yes: flags.yes === true });
      await api.remove(id);
      show(console, flags.output, done(`session/${id}`, 'deleted', { object: { session_id: id } }));
    });
};

const addSet = (program: Command, tools: CommandTools): void => {
  const { apiFor, console } = tools;
  describe(program, {
    isChange: true,
    usage: 'set [session] [fields...]',
    summary: 'change how a session is steered: FIELD=VALUE, or FIELD= to take it away',
    about: 'A value is YAML. Without fields: what can be set, and of a session what is set now.',
    examples: [
      ['What can be set?', 'parley set'],
      ['What is set now?', 'parley set 47479bca'],
      ['Two hosts at once at most', 'parley set 47479bca max_parallel_hosts=2'],
      ['It must be over by six', 'parley set 47479bca deadline=2026-12-01T06:00:00Z'],
      ['Begin at any time again', 'parley set 47479bca windows='],
    ],
  }).action(async (given: string | undefined, fields: readonly string[], flags: CommonFlags) => {
    if (given === undefined || fields.length === 0) {
      await showSettable(tools, flags, given);
      return;
    }
    const change = fieldsIn(fields) as ChangeSessionBody;
    const api = await apiFor(flags);
    const id = await findSessionId(api, given);
    show(console, flags.output, done(`session/${id}`, 'changed', { object: await api.change(id, change) }));
  });
};

/** @param given the session whose present values are shown too */
const showSettable = async ({ apiFor, console }: CommandTools, flags: CommonFlags, given?: string): Promise<void> => {
  if (given?.includes('=') === true) throw usageFailure(`say which session is to have ${given}`, 'parley list');
  const { settableLines, settableIn } = await import('./settable-fields.js');
  const api = given === undefined ? undefined : await apiFor(flags);
  const id = api && (await findSessionId(api, given));
  const session = id === undefined ? undefined : (await api?.detail(id))?.session;
  show(console, flags.output, {
    object: settableIn(session),
    names: id === undefined ? [] : [`session/${id}`],
    lines: () => settableLines(session),
  });
};

const addPatch = (program: Command, { apiFor, console }: CommandTools): void => {
  describe(program, {
    isChange: true,
    usage: 'patch <session>',
    summary: 'change how a session is steered, by a file or a text',
    examples: [
      ['By a text', `parley patch 47479bca -p '{"canary": {"hosts": 1, "then": "resume"}}'`],
      ['By a file', 'parley patch 47479bca -f change.yaml'],
    ],
  })
    .option('-p, --patch <text>', 'the fields as YAML or JSON')
    .option('-f, --file <file>', 'the same in a file; -: standard input')
    .action(async (given: string, flags: CommonFlags & { readonly patch?: string; readonly file?: string }) => {
      const { patch, file = '--patch' } = flags;
      if ((patch === undefined) === (flags.file === undefined)) throw usageFailure('give either -p or -f');
      const content = patch === undefined ? await readInputFile(console, file) : parseYaml(patch);
      const api = await apiFor(flags);
      const id = await findSessionId(api, given);
      const answer = await api.change(id, dictionaryIn(content, file));
      show(console, flags.output, done(`session/${id}`, 'changed', { object: answer }));
    });
};

interface HostCommand {
  readonly request: HostRequest;
  readonly words: string;
  readonly summary: string;
}

const hostCommands: readonly HostCommand[] = [
  { request: 'skip', words: 'skipped', summary: 'leave hosts out of a session' },
  { request: 'retry', words: 'retried', summary: 'try hosts again that were set aside or skipped' },
  { request: 'first', words: 'is the next', summary: 'drain hosts before the others' },
  {
    request: 'ignore',
    words: 'is worked on whatever marks it has now, or lacks now',
    summary: 'ignore marks of others on hosts, or what hosts lack after their maintenance',
  },
];

const addHostList = (hosts: Command, { apiFor, console }: Pick<CommandTools, 'apiFor' | 'console'>): void => {
  describe(hosts, {
    usage: 'list',
    summary: 'list the hosts of the cloud, with the sessions that have them',
    examples: [
      ['All hosts of the cloud', 'parley hosts list'],
      ['The hosts with these labels', "parley hosts list --select 'zone=a,rack in (r1,r2)' -o wide"],
      ['The hosts of one session, with what they wait for', 'parley show 47479bca --hosts'],
    ],
  })
    .option('--select <labels>', "only hosts with these labels, such as 'zone=a,rack in (r1,r2)'")
    .action(async (flags: CommonFlags & { readonly select?: string }) => {
      const isWanted = isSelectedBy(flags.select);
      const api = await apiFor(flags);
      const [{ hosts: all }, sessions] = await Promise.all([api.choices(), api.sessions()]);
      const listed = all.filter(({ labels }) => isWanted(labels));
      const none = flags.select === undefined ? 'the cloud has no host' : 'no host is selected';
      show(console, flags.output, {
        object: listed,
        names: listed.map(({ hostname }) => `host/${hostname}`),
        lines: (look) => (listed.length === 0 ? [none] : tableOf(cloudHostColumns(sessions), listed, look)),
      });
    });
};

/** @throws CommandFailure where the text is no selector */
const isSelectedBy = (text: string | undefined): ((labels: HostLabels) => boolean) => {
  if (text === undefined) return () => true;
  const parsed = parseSelector(text);
  if (parsed.kind === 'fault') throw usageFailure(`--select ${parsed.message}`);
  return (labels) => selects(parsed.selector, labels);
};

/** An earlier version of the service does not tell what has changed. */
const wordsOfSteered = ({ phase, changed }: SteeredHostBody, words: string): string => {
  const now = phaseInWords(phase);
  if ((changed as boolean | undefined) === false) return `is ${now} already: nothing was changed`;
  return `${phase === 'releasing' ? `will be ${words}` : words}, ${now}`;
};

const addHosts = (program: Command, { apiFor, console }: CommandTools): void => {
  const hosts = program
    .command('hosts')
    .description(
      'list the hosts of the cloud; skip, retry or prefer single hosts of a session, or ignore marks on them',
    );
  addHostList(hosts, { apiFor, console });
  for (const { request, words, summary } of hostCommands) {
    describe(hosts, {
      isChange: true,
      usage: `${request} <hosts...>`,
      summary,
      examples: [
        ['One host of the session that has it', `parley hosts ${request} compute-7`],
        ['All hosts of a rack', `parley hosts ${request} 'rack7-*'`],
      ],
    })
      .option('-s, --session <session>', 'the session; else the one that is not over, and has the host')
      .action(async (given: readonly string[], flags: CommonFlags & { readonly session?: string }) => {
        const api = await apiFor(flags);
        const names = given.map((name) => name.replace(/^host\//, ''));
        const sessionId = await sessionOfHost(api, flags.session, names[0]);
        const known = async () => (await api.detail(sessionId)).hosts.map(({ hostname }) => hostname);
        await oneByOne({
          things: await hostsNamed(names, known),
          nameOf: (hostname) => `host/${hostname}`,
          words: ['host', 'hosts'],
          act: async (hostname) => {
            const answer = await api.host({ sessionId, hostname }, request);
            show(console, flags.output, done(`host/${hostname}`, wordsOfSteered(answer, words), { object: answer }));
          },
        });
      });
  }
};
