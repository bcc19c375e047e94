/** `parley demo`: the whole service on a simulated fleet, with one session from its creation to 100 %. */
import { type Command, Option } from 'commander';
import { workflowPlugins } from '../plugins/workflows/registry';
import { openDatabase } from '../prisma/database';
import { connectTemporal } from '../temporal/connect';
import { createAdminClient } from './demo/admin-client';
import { clearDataFolder } from './demo/clear-data-folder';
import { demoDataDir, demoEnvironment, demoPace } from './demo/demo-settings';
import { type Managers, startManagers } from './demo/managers';
import { measureHistories } from './demo/measure-histories';
import { measureSession } from './demo/measure-session';
import { projectNames } from './demo/projects';
import { createScreen, type Screen } from './demo/screen';
import { type Summary, summaryLines } from './demo/summary';
import { watchSession } from './demo/watch-session';
import { type Stack, startStack } from './stack/supervise';
import { stopSignal, untilAborted } from './stop-signal';

/** Long enough to ask the managers before the work begins. */
const leadMs = 4_000;

const introduction = (dataDir: string): string[] => [
  'Parley maintains a simulated fleet of 10 hosts with 60 instances of four projects:',
  '  vepc, vims  managed by the demo VNFM (examples/vnfm)',
  '  vfw         an active/standby pair; its manager switches over before it answers',
  '  batch       nobody answers for it',
  '',
  `Settings  ${Object.entries(demoPace)
    .map(([name, value]) => `${name}=${value}`)
    .join(' ')}`,
  `Data      ${dataDir} (cleared at each start)`,
  '',
];

const addressLines = ({ addresses, settings }: Stack): string[] => [
  '',
  `API              ${addresses.api}`,
  `API reference    ${addresses.docs}`,
  `Temporal Web UI  ${addresses.temporalUi ?? addresses.temporal}`,
  `Logs             ${settings.dataDir}/logs`,
  '',
];

interface Running {
  readonly stack: Stack;
  readonly managers: Managers;
  readonly screen: Screen;
  readonly signal: AbortSignal;
  readonly startedMs: number;
  /** The session's workflow, a built-in one. */
  readonly workflow: string;
}

const runSession = async ({ stack, managers, screen, signal, startedMs, workflow }: Running): Promise<Summary> => {
  const admin = createAdminClient(stack.addresses.api);
  const projects = projectNames();
  const createdMs = Date.now();
  const sessionId = await admin.createSession(new Date(createdMs + leadMs), workflow);
  screen.line(`Session ${sessionId} is created: it tells the projects, and starts in ${String(leadMs / 1000)} s.`);
  const { hosts, instances } = await watchSession({ sessionId, admin, managers, screen, signal });
  const endedMs = Date.now();
  return {
    hosts: hosts.length,
    instances: instances.length,
    sessionSeconds: (endedMs - createdMs) / 1000,
    wholeSeconds: (endedMs - startedMs) / 1000,
    projects,
    ...(await measure(
      stack,
      sessionId,
      hosts.map(({ hostname }) => hostname),
    )),
  };
};

const measure = async (
  { addresses, settings }: Stack,
  sessionId: string,
  hostnames: readonly string[],
): Promise<Pick<Summary, 'session' | 'histories'>> => {
  const db = openDatabase({ url: addresses.databaseUrl, poolSize: 2 });
  const temporal = await connectTemporal({ ...settings, temporalAddress: addresses.temporal });
  try {
    const histories = await measureHistories(temporal.client, sessionId, hostnames);
    return { histories, session: await measureSession(db, sessionId, settings.defaultImpactShare) };
  } finally {
    await temporal.close();
    await db.$disconnect();
  }
};

const runOn = async (
  stack: Stack,
  running: Omit<Running, 'stack' | 'managers'>,
  env: NodeJS.ProcessEnv,
): Promise<void> => {
  const { screen, signal } = running;
  for (const line of addressLines(stack)) screen.line(line);
  const managers = await startManagers({ dataDir: stack.settings.dataDir, env, api: stack.addresses.api });
  try {
    const summary = await runSession({ stack, managers, ...running });
    screen.picture([]);
    for (const line of ['', ...summaryLines(summary), '']) screen.line(line);
    if (!screen.isTerminal) return;
    for (const line of [...addressLines(stack), 'Ctrl-C stops it.']) screen.line(line);
    await untilAborted(signal);
  } finally {
    await managers.stop();
  }
};

const demo = async (env: NodeJS.ProcessEnv, workflow: string): Promise<void> => {
  const startedMs = Date.now();
  const signal = stopSignal();
  const screen = createScreen(process.stdout);
  const tell = (line: string): void => screen.line(line);
  const dataDir = demoDataDir(env);
  for (const line of introduction(dataDir)) tell(line);
  await clearDataFolder(dataDir);
  const own = await demoEnvironment(env);
  const stack = await startStack({ env: own, tell, signal });
  try {
    await runOn(stack, { screen, signal, startedMs, workflow }, own);
  } finally {
    screen.picture([]);
    tell('Stopping.');
    await stack.stop();
  }
};

export const addDemoCommand = (program: Command, env: NodeJS.ProcessEnv): void => {
  program
    .command('demo')
    .addOption(
      new Option('--workflow <name>', 'default: one host after the other; vnf: many hosts at once')
        .choices([...workflowPlugins.keys()])
        .default('default'),
    )
    .action(({ workflow }: { readonly workflow: string }) => demo(env, workflow));
};
