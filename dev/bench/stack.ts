/**
 * The whole stack at work: sessions of `vnf` over a fleet of the simulated cloud at high speed, with a manager that
 * answers everything at once (`npm run bench:stack`). Nearly all time is then the service's own, and the tables show
 * where it goes.
 */
import { readFile } from 'node:fs/promises';
import { parseArgs } from 'node:util';
import { stopSignal } from '../../cli/stop-signal';
import { parseFleet } from '../../clouds/simulated/fleet-file';
import type { WireFleet } from '../../clouds/simulated/fleet-schema';
import { runTool } from '../../config/run-program';
import { settingsTable } from '../../config/settings-table';
import { findSessionCourse, type SessionCourse } from '../../prisma/session/session-trace';
import { simulate } from '../../rules/simulation/simulate';
import { limitsOfStrategy } from '../../rules/simulation/strategy';
import { connectTemporal } from '../../temporal/connect';
import { hostWorkflowId, sessionWorkflowId } from '../../temporal/workflow-messages';
import { countCloudCalls } from './cloud-calls';
import { watchEventLoops } from './event-loops';
import { generateFleet } from './generate-fleet';
import { readHistory, type WorkflowHistory } from './histories';
import { hostPhasesOf } from './host-phases';
import { machineLine, watchProcessors } from './machine';
import { startManager } from './manager';
import { type MeasuredStack, watchCores, withStack } from './measured-stack';
import { peakMemoryMb } from './processes';
import { createSession, stateOf, until } from './session';
import { printSession, type SessionMeasured } from './session-tables';

const { values: options } = parseArgs({
  options: {
    fleet: { type: 'string', default: '' },
    hosts: { type: 'string', default: '60' },
    instances: { type: 'string', default: '600' },
    seed: { type: 'string', default: '1' },
    speed: { type: 'string', default: '200' },
    minutes: { type: 'string', default: '15' },
    // the hosts are dealt to so many sessions, which run side by side
    sessions: { type: 'string', default: '1' },
    apis: { type: 'string', default: '1' },
    workers: { type: 'string', default: '1' },
    // `server`: the one of deployments, on PostgreSQL
    temporal: { type: 'string', default: 'development' },
    // a worker is killed so many seconds after the beginning
    kill: { type: 'string', default: '' },
  },
});

const speed = Number(options.speed);
const signal = stopSignal();

/** @throws FleetError that names its fault */
const parseWireFleet = (text: string): WireFleet => {
  parseFleet(JSON.parse(text));
  return JSON.parse(text) as WireFleet;
};

const chosenFleet = async (): Promise<WireFleet> => {
  if (options.fleet !== '') return parseWireFleet(await readFile(options.fleet, 'utf8'));
  const [hosts, instances, seed] = [Number(options.hosts), Number(options.instances), Number(options.seed)];
  return generateFleet({ hosts, instances, seed, recoverySeconds: 1 });
};

/** The same decisions in virtual time, where deciding and recording take no time: in seconds of the session's clock. */
const leastSeconds = (fleet: WireFleet): number => {
  const inSessionTime: WireFleet = {
    ...fleet,
    hosts: fleet.hosts.map((host) => ({ ...host, maintenance_s: (host.maintenance_s ?? 0) / speed })),
    instances: fleet.instances.map((instance) => ({ ...instance, move_s: instance.move_s / speed, ready_s: 0 })),
  };
  const parsed = parseFleet(inSessionTime);
  return simulate(parsed, { limits: limitsOfStrategy('vnf', parsed) }).makespanSeconds;
};

const isOver = async ({ api, db }: MeasuredStack, sessionId: string): Promise<boolean> => {
  const state = await stateOf(api, sessionId);
  if (state !== 'MAINTENANCE_FAILED') return state === 'MAINTENANCE_DONE';
  const session = await db.session.findUnique({ where: { id: sessionId } });
  throw new Error(`the session failed: ${session?.failure ?? ''}`);
};

const areOver = async (stack: MeasuredStack, sessionIds: readonly string[]): Promise<boolean> => {
  const over = await Promise.all(sessionIds.map((id) => isOver(stack, id)));
  return over.every(Boolean);
};

/** Tells the person who watches about each change of the progress of all sessions. */
const tellProgress = ({ db }: MeasuredStack): (() => Promise<void>) => {
  let told = -1;
  return async () => {
    const maintained = await db.sessionHost.count({ where: { maintained: true } });
    if (maintained !== told) process.stderr.write(`${maintained} hosts are maintained\n`);
    told = maintained;
  };
};

/** The hosts of the fleet that are to be maintained. */
const toMaintain = ({ hosts }: WireFleet): string[] =>
  hosts.filter(({ maintain }) => maintain !== false).map(({ name }) => name);

/** @param all the hosts; each session takes every so many-th of them */
const dealt = (all: readonly string[]): readonly (readonly string[])[] => {
  const sessions = Number(options.sessions);
  return Array.from({ length: sessions }, (_, number) => all.filter((_name, at) => at % sessions === number));
};

const readHistories = async (
  { settings, temporalAddress, db }: MeasuredStack,
  sessionIds: readonly string[],
): Promise<Pick<SessionMeasured, 'sessions' | 'hosts'>> => {
  const { client, close } = await connectTemporal({ ...settings, temporalAddress });
  try {
    const [sessions, hosts]: [WorkflowHistory[], WorkflowHistory[]] = [[], []];
    for (const sessionId of sessionIds) {
      sessions.push(await readHistory(client, sessionWorkflowId(sessionId)));
      const ofSession = await db.sessionHost.findMany({ where: { sessionId } });
      for (const { hostname } of ofSession) hosts.push(await readHistory(client, hostWorkflowId(sessionId, hostname)));
    }
    return { sessions, hosts };
  } finally {
    await close();
  }
};

const courseOfAll = async (
  { db }: MeasuredStack,
  sessionIds: readonly string[],
): Promise<SessionMeasured['course']> => {
  const courses: SessionCourse[] = [];
  for (const sessionId of sessionIds) {
    const course = await findSessionCourse(db, sessionId);
    if (course === undefined) throw new Error(`session ${sessionId} is not on record`);
    courses.push(course);
  }
  return {
    hosts: courses.flatMap(({ hosts }) => hosts),
    moves: courses.flatMap(({ moves }) => moves),
    questions: courses.flatMap(({ questions }) => questions),
    phases: courses.flatMap(hostPhasesOf),
  };
};

/** @returns a function after which it is not killed any more: another process may have its ID then */
const killWorkerLater = ({ pids }: MeasuredStack): (() => void) => {
  const pid = pids.worker.at(-1);
  if (options.kill === '' || pid === undefined) return () => undefined;
  const kill = (): void => {
    process.stderr.write(`a worker (process ${pid}) is killed\n`);
    process.kill(pid, 'SIGKILL');
  };
  const timer = setTimeout(kill, Number(options.kill) * 1000);
  return () => clearTimeout(timer);
};

/** Tells the largest peak of all processes of a program. */
const peaksOf = async ({ pids }: MeasuredStack): Promise<SessionMeasured['peaksMb']> =>
  await Promise.all(
    (['api', 'worker', 'Temporal'] as const).map(async (program) => {
      const peaks = await Promise.all(pids[program].map((pid) => peakMemoryMb(pid).catch(() => 0)));
      return { program, mb: Math.max(...peaks) };
    }),
  );

/** Each host is drained once: what left it twice was moved twice, by the cloud's own log. */
const countRepeated = async ({ db }: MeasuredStack): Promise<number> => {
  const moves = await db.simMove.groupBy({ by: ['instanceId', 'source'], where: { status: 'done' }, _count: true });
  return moves.filter(({ _count }) => _count > 1).length;
};

const runSessions = async (stack: MeasuredStack, hostnames: readonly string[]): Promise<SessionMeasured> => {
  const blocks = await watchEventLoops(stack.metricsPorts);
  const manager = startManager(stack.api, () => true);
  try {
    const [busyShare, cores] = [watchProcessors(), await watchCores(stack)];
    const startedMs = performance.now();
    const sessionIds: string[] = [];
    for (const hosts of dealt(hostnames)) {
      sessionIds.push(await createSession(stack.api, { hosts, startsAt: new Date() }));
    }
    const withinMs = Number(options.minutes) * 60_000;
    const tell = tellProgress(stack);
    const spare = killWorkerLater(stack);
    await until(() => tell().then(() => areOver(stack, sessionIds)), { what: 'the end', withinMs, signal }).finally(
      spare,
    );
    const seconds = (performance.now() - startedMs) / 1000;
    const used = { seconds, cores: await cores(), busyShare: busyShare(), replies: manager.counts() };
    const [course, peaksMb] = [await courseOfAll(stack, sessionIds), await peaksOf(stack)];
    return {
      ...used,
      course,
      peaksMb,
      blocksMs: await blocks(),
      cloudCalls: await countCloudCalls(stack.metricsPorts.worker),
      movesTwice: await countRepeated(stack),
      ...(await readHistories(stack, sessionIds)),
    };
  } finally {
    await Promise.all([blocks(), manager.stop()]);
  }
};

/** Windows so long that they never end on a busy machine: silence decides nothing, and no move is forced. */
const windows = {
  [settingsTable.projectReplySeconds.name]: '60',
  [settingsTable.simSpeed.name]: options.speed,
} as const;

const chosenTemporal = (): 'development' | 'server' => {
  if (options.temporal === 'development' || options.temporal === 'server') return options.temporal;
  throw new Error(`--temporal: ${options.temporal} is neither development nor server`);
};

const main = async (): Promise<void> => {
  const fleet = await chosenFleet();
  const hostnames = toMaintain(fleet);
  const count = { api: Number(options.apis), worker: Number(options.workers) };
  const request = { fleet, settings: windows, signal, temporal: chosenTemporal(), count, withMetrics: true };
  const results = await withStack(request, (stack) => runSessions(stack, hostnames));
  const settings =
    `fleet ${fleet.name}: ${hostnames.length} hosts to maintain, ${fleet.instances.length} instances, ` +
    `${options.sessions} session(s), ${options.apis} api(s), ${options.workers} worker(s), Temporal ${options.temporal}`;
  process.stdout.write(`\n${machineLine()}\n${settings}; --speed ${options.speed}\n`);
  printSession(results, leastSeconds(fleet));
};

runTool('bench:stack', main);
