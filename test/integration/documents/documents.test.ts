/**
 * The commands of the pages that people begin with, typed in their order as they are written, into a real stack: dist
 * must be built (npm run test:integration builds it).
 */
import { eventually, Hopeless } from '../../waiting/eventually';
import { commandsIn } from './commands-in';
import { aReader, type Reader } from './reader';
import { type Unanswered, unanswered } from './unanswered';

let reader: Reader;
let projects: Unanswered;

beforeAll(async () => {
  reader = await aReader();
});
afterAll(async () => {
  await projects.close();
  await reader.leave();
});

const isStart = (command: string): boolean => command.endsWith('make up');

/** Goes on running in a terminal of its own. */
const goesOn = (command: string): boolean => /make up$|^curl -N|\bnode dist/.test(command);

interface Typed {
  readonly command: string;
  /** The output so far. */
  readonly printed: () => string;
}

/** @param before what a reader waits for before they type a command */
const typeAll = async (commands: readonly string[], before: (command: string) => Promise<void>): Promise<Typed[]> => {
  const typed: Typed[] = [];
  for (const command of commands) {
    await before(command);
    if (goesOn(command)) typed.push({ command, printed: reader.typeAside(command) });
    else {
      const printed = await reader.type(command);
      typed.push({ command, printed: () => printed });
    }
    if (!isStart(command)) continue;
    await reader.untilReady();
    projects = await unanswered(reader.dataDir);
  }
  return typed;
};

const nothing = (): Promise<void> => Promise.resolve();

/** A reader looks for a question, and answers it, once there is one. */
const onceAsked = async (command: string): Promise<void> => {
  if (!command.includes('bin/parley questions')) return;
  await eventually(
    'there is a question',
    async () => (await reader.type('bin/parley questions -o name')).trim() !== '' || undefined,
  );
};

const untilDone = async (command: string): Promise<void> => {
  if (!command.startsWith('bin/parley delete')) return;
  await eventually(
    'the session is done',
    async () => (await reader.type('bin/parley list -o json')).includes('MAINTENANCE_DONE') || undefined,
  );
};

const factsOfASession = [
  ...['session created', 'state entered', 'question asked', 'question answered', 'host begun: to be drained'],
  ...['host disabled', 'move begun', 'move ended', 'host in maintenance', 'plug-in begun', 'plug-in done'],
  ...['host maintained', 'delete requested', 'session removed'],
];

const printedBy = (typed: readonly Typed[], command: string | RegExp): string => {
  const found = typed.find((one) =>
    typeof command === 'string' ? one.command === command : command.test(one.command),
  );
  if (found === undefined) throw new Error(`the document has no command ${String(command)}`);
  return found.printed();
};

/** Types the page's command again: a need that answers slowly makes one answer say that the service is not ready. */
const untilReadyAsTyped = (typed: readonly Typed[]): Promise<true> => {
  const command = typed.find((one) => one.command.endsWith('readyz'))?.command;
  if (command === undefined) throw new Error('the document has no command that asks whether the service is ready');
  return eventually(
    'the page has it that the service is ready',
    async () => (await reader.type(command)).includes('"ready":true') || undefined,
  );
};

/**
 * Somebody who goes from one page to the next keeps what the first one has started, ends its session and loads the
 * fleet of the next page. So the first start has all that the later pages add to theirs.
 */
const quickStart = commandsIn('README.md', '## Five minutes with it');
const packages = commandsIn('docs/plugins.md', '## Try it');
const fleetOfStart = 'PARLEY_FLEET=';
const startOf = (commands: readonly string[]): string[] => commands.find(isStart)?.split(' ') ?? [];
const isOfFleet = (word: string): boolean => word.startsWith(fleetOfStart);
const added = startOf(packages).filter((word) => !startOf(quickStart).includes(word) && !isOfFleet(word));

/** The page's commands, where what runs already has all that the page starts it with, but for its fleet. */
const onWhatRuns = (commands: readonly string[]): string[] => {
  const words = startOf(commands);
  expect(words).toContain('make');
  expect([...startOf(quickStart), ...added]).toEqual(expect.arrayContaining(words.filter((word) => !isOfFleet(word))));
  const fleet = words.find(isOfFleet)?.slice(fleetOfStart.length);
  return [`bin/parley fleet load ${fleet} --force`, ...commands.filter((command) => !isStart(command))];
};

const sessionId = async (): Promise<string> => (await reader.type('echo $SESSION_ID')).trim();

/** Looks again and again, while nobody replies to what the session asks. */
const whileNobodyReplies = async <T>(what: string, look: () => Promise<T | undefined>): Promise<T> => {
  const id = await sessionId();
  return eventually({ what, isLasting: true }, async () => {
    await projects.endReplyWindows(id);
    return look();
  });
};

const untilRemoved = (): Promise<true> =>
  eventually('the session is removed', async () => {
    const look = 'curl -s -o /dev/null -w "%{http_code}" http://127.0.0.1:12347/v1/maintenance/$SESSION_ID';
    return (await reader.type(look)).includes('404') || undefined;
  });

it('the README leads through a session, and the page on fleet files on from there', async () => {
  const commands = quickStart.map((command) => (isStart(command) ? [...added, command].join(' ') : command));
  const typed = await typeAll(commands, async (command) => {
    await onceAsked(command);
    await untilDone(command);
  });
  expect(printedBy(typed, /^bin\/parley plan/)).toContain('Plan: 2 hosts, 1 move, 3 questions.');
  const [, id = ''] = /session\/([0-9a-f-]{36}) created/.exec(printedBy(typed, /^bin\/parley create/)) ?? [];
  expect(printedBy(typed, 'bin/parley questions')).toContain('web-1 on compute-1');
  expect(printedBy(typed, /--action MIGRATE$/)).toContain('answered: ACK_PLANNED_MAINTENANCE');
  expect(printedBy(typed, 'bin/parley fleet show')).toContain('compute-3');
  expect(printedBy(typed, /^bin\/parley delete/)).toContain(`session/${id} deleted`);
  const further = await typeAll(commandsIn('docs/fleet-file.md'), nothing);
  expect(further.map(({ command }) => command)).toContain('bin/parley fleet repair web-1');
  await eventually('the logs of both processes tell the whole story', async () => {
    const story = await reader.type(`grep -h ${id} .parley/logs/*.log`);
    const missing = factsOfASession.filter((fact) => !story.includes(`"msg":"${fact}"`));
    if (missing.length > 0) throw new Error(`not told: ${missing.join(', ')}`);
    return true;
  });
});

it('the page on packages has its scripts and plug-ins run', async () => {
  const typed = await typeAll(onWhatRuns(packages), nothing);
  await whileNobodyReplies('both plug-ins have told what they did', async () => {
    const detail = await reader.type(typed.at(-1)?.command ?? '');
    if (detail.includes('MAINTENANCE_FAILED')) throw new Hopeless(detail);
    return /"plugin":"script","state":"[^"]+compute-4/.test(detail) || undefined;
  });
  await reader.type('curl -X DELETE http://127.0.0.1:12347/v1/maintenance/$SESSION_ID');
  await untilRemoved();
});

it('the page for sessions that fail has one fail, mends it, goes on and gets rid of it', async () => {
  const typed = await typeAll(onWhatRuns(commandsIn('docs/troubleshooting.md')), async (command) => {
    if (command.includes('-X DELETE')) {
      await eventually('the session has gone on', async () => {
        const story = await reader.type('grep -h $SESSION_ID .parley/logs/*.log');
        return story.includes('"msg":"session goes on"') || undefined;
      });
    }
    if (!command.startsWith('bin/parley fleet repair')) return;
    await whileNobodyReplies('the session has failed', async () => {
      const state = await reader.type('curl -s http://127.0.0.1:12347/v1/maintenance/$SESSION_ID');
      if (state.includes('MAINTENANCE_DONE')) throw new Hopeless('the session is done');
      return state.includes('MAINTENANCE_FAILED') || undefined;
    });
  });
  expect(printedBy(typed, /-X PUT .*'\{\}'$/)).toContain('PLANNED_MAINTENANCE');
  await untilReadyAsTyped(typed);
  const story = printedBy(typed, /^grep -h \$SESSION_ID/);
  for (const told of ['session created', 'session failed', 'session goes on', 'delete requested']) {
    expect(story).toContain(`"msg":"${told}"`);
  }
  await untilRemoved();
});

it('the page for authors of managers starts one, which answers', async () => {
  const typed = await typeAll(onWhatRuns(commandsIn('docs/vnfm.md')), async (command) => {
    if (!command.includes('instance_group')) return;
    await eventually('the VNFM has stored its constraints', async () => {
      await reader.type(command);
      return true;
    });
  });
  const vnfm = typed.find(({ command }) => command.includes('node dist'));
  await eventually('the VNFM answers', () =>
    Promise.resolve(vnfm?.printed().includes('ACK_MAINTENANCE') === true || undefined),
  );
});
