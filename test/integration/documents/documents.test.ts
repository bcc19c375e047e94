/**
 * The commands of the pages that people begin with, typed in their order as they are written, into a real stack: dist
 * must be built (npm run test:integration builds it).
 */
import { eventually, Hopeless } from '../../waiting/eventually';
import { commandsIn } from './commands-in';
import { aReader, type Reader } from './reader';

let reader: Reader;

/** A reader for the tests of a group, who starts a stack of their own with what a page says. */
const useReader = (): void => {
  beforeAll(async () => {
    reader = await aReader();
  });
  afterAll(() => reader.leave());
};

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
    if (command.endsWith('make up')) await reader.untilReady();
  }
  return typed;
};

const nothing = (): Promise<void> => Promise.resolve();

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

describe("on the quick start's fleet", () => {
  useReader();

  it('the README leads through a session, and the page on fleet files on from there', async () => {
    const typed = await typeAll(commandsIn('README.md', '## Five minutes with it'), nothing);
    const sessionId = printedBy(typed, 'echo $SESSION_ID').trim();
    expect(sessionId).toMatch(/^[0-9a-f-]{36}$/);
    expect(printedBy(typed, 'echo $REPLY_URL').trim()).toMatch(new RegExp(`/v1/maintenance/${sessionId}/a0000001`));
    expect(printedBy(typed, 'curl "$REPLY_URL"')).toContain('c0000001-0000-4000-8000-000000000001');
    expect(printedBy(typed, /detail$/)).toContain('"phase":');
    expect(printedBy(typed, 'bin/parley fleet show')).toContain('compute-3');
    expect(printedBy(typed, /MAINTENANCE_COMPLETE"' </)).toContain(sessionId);
    const further = await typeAll(commandsIn('docs/fleet-file.md'), nothing);
    expect(further.map(({ command }) => command)).toContain('bin/parley fleet repair web-1');
    const events = typed.find(({ command }) => command.startsWith('curl -N'));
    await eventually('the event stream tells that both hosts are done', () =>
      Promise.resolve(events?.printed().includes('"percent_done":100') === true || undefined),
    );
    await eventually('the logs of both processes tell the whole story', async () => {
      const story = await reader.type('grep -h $SESSION_ID .parley/logs/*.log');
      const missing = factsOfASession.filter((fact) => !story.includes(`"msg":"${fact}"`));
      if (missing.length > 0) throw new Error(`not told: ${missing.join(', ')}`);
      return true;
    });
  });
});

/**
 * Pages that begin with the demo's fleet. Somebody who goes from one to the next keeps what the first one has started,
 * ends its session and puts the fleet back.
 */
describe("on the demo's fleet", () => {
  useReader();

  const packagesPage = commandsIn('docs/plugins.md', '## Try it');
  const isStart = (command: string): boolean => command.endsWith('make up');
  const wordsOfStart = (commands: readonly string[]): string[] => commands.find(isStart)?.split(' ') ?? [];

  /** The page's commands, where what runs already has all that the page starts it with. */
  const afterStart = (commands: readonly string[]): string[] => {
    const words = wordsOfStart(commands);
    expect(words).toContain('make');
    expect(wordsOfStart(packagesPage)).toEqual(expect.arrayContaining(words));
    return commands.filter((command) => !isStart(command));
  };

  const turnThePage = async (): Promise<void> => {
    await eventually('the session is removed', async () => {
      const look = 'curl -s -o /dev/null -w "%{http_code}" http://127.0.0.1:12347/v1/maintenance/$SESSION_ID';
      return (await reader.type(look)).includes('404') || undefined;
    });
    await reader.type('bin/parley fleet load examples/demo/fleet.json');
  };

  it('the page on packages has its scripts and plug-ins run', async () => {
    const typed = await typeAll(packagesPage, nothing);
    await eventually('both plug-ins have told what they did', async () => {
      const detail = await reader.type(typed.at(-1)?.command ?? '');
      if (detail.includes('MAINTENANCE_FAILED')) throw new Hopeless(detail);
      return /"plugin":"script","state":"[^"]+compute-4/.test(detail) || undefined;
    });
    await reader.type('curl -X DELETE http://127.0.0.1:12347/v1/maintenance/$SESSION_ID');
    await turnThePage();
  });

  it('the page for sessions that fail has one fail, mends it, goes on and gets rid of it', async () => {
    const typed = await typeAll(afterStart(commandsIn('docs/troubleshooting.md')), async (command) => {
      if (command.includes('-X DELETE')) {
        await eventually('the session has gone on', async () => {
          const story = await reader.type('grep -h $SESSION_ID .parley/logs/*.log');
          return story.includes('"msg":"session goes on"') || undefined;
        });
      }
      if (!command.startsWith('bin/parley fleet repair')) return;
      await eventually('the session has failed', async () => {
        const state = await reader.type('curl -s http://127.0.0.1:12347/v1/maintenance/$SESSION_ID');
        if (state.includes('MAINTENANCE_DONE')) throw new Hopeless('the session is done');
        return state.includes('MAINTENANCE_FAILED') || undefined;
      });
    });
    expect(printedBy(typed, /-X PUT .*'\{\}'$/)).toContain('PLANNED_MAINTENANCE');
    expect(printedBy(typed, /readyz$/)).toContain('"ready":true');
    const story = printedBy(typed, /^grep -h \$SESSION_ID/);
    for (const told of ['session created', 'session failed', 'session goes on', 'delete requested']) {
      expect(story).toContain(`"msg":"${told}"`);
    }
    await turnThePage();
  });

  it('the page for authors of managers starts one, which answers', async () => {
    const typed = await typeAll(afterStart(commandsIn('docs/vnfm.md')), async (command) => {
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
});
