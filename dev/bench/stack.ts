/**
 * The whole stack at work: one session of `vnf` over a fleet of the simulated cloud at high speed, with a manager that
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
import { findSessionCourse } from '../../prisma/session/session-trace';
import { simulate } from '../../rules/simulation/simulate';
import { limitsOfStrategy } from '../../rules/simulation/strategy';
import { connectTemporal } from '../../temporal/connect';
import { hostWorkflowId, sessionWorkflowId } from '../../temporal/workflow-messages';
import { generateFleet } from './generate-fleet';
import { readHistory, type WorkflowHistory } from './histories';
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

/** Tells the person who watches about each change of the session's progress. */
const tellProgress = ({ db }: MeasuredStack, sessionId: string): (() => Promise<void>) => {
  let told = -1;
  return async () => {
    const maintained = await db.sessionHost.count({ where: { sessionId, maintained: true } });
    if (maintained !== told) process.stderr.write(`${maintained} hosts are maintained\n`);
    told = maintained;
  };
};

/** The hosts of the fleet that are to be maintained. */
const toMaintain = ({ hosts }: WireFleet): string[] =>
  hosts.filter(({ maintain }) => maintain !== false).map(({ name }) => name);

const readHistories = async (
  { settings, temporalAddress }: MeasuredStack,
  sessionId: string,
  hostnames: readonly string[],
): Promise<Pick<SessionMeasured, 'session' | 'hosts'>> => {
  const { client, close } = await connectTemporal({ ...settings, temporalAddress });
  try {
    const session = await readHistory(client, sessionWorkflowId(sessionId));
    const hosts: WorkflowHistory[] = [];
    for (const name of hostnames) hosts.push(await readHistory(client, hostWorkflowId(sessionId, name)));
    return { session, hosts };
  } finally {
    await close();
  }
};

const runSession = async (stack: MeasuredStack, hostnames: readonly string[]): Promise<SessionMeasured> => {
  const manager = startManager(stack.api, () => true);
  try {
    const [busyShare, cores] = [watchProcessors(), await watchCores(stack)];
    const startedMs = performance.now();
    const sessionId = await createSession(stack.api, { hosts: hostnames, startsAt: new Date() });
    const withinMs = Number(options.minutes) * 60_000;
    const tell = tellProgress(stack, sessionId);
    await until(() => tell().then(() => isOver(stack, sessionId)), {
      what: 'the end of the session',
      withinMs,
      signal,
    });
    const seconds = (performance.now() - startedMs) / 1000;
    const used = { seconds, cores: await cores(), busyShare: busyShare(), replies: manager.counts() };
    const course = await findSessionCourse(stack.db, sessionId);
    if (course === undefined) throw new Error(`session ${sessionId} is not on record`);
    const peaksMb = await Promise.all(
      (['api', 'worker'] as const).map(async (program) => ({ program, mb: await peakMemoryMb(stack.pids[program]) })),
    );
    return { ...used, course, peaksMb, ...(await readHistories(stack, sessionId, hostnames)) };
  } finally {
    await manager.stop();
  }
};

/** Windows so long that they never end on a busy machine: silence decides nothing, and no move is forced. */
const windows = {
  [settingsTable.projectReplySeconds.name]: '60',
  [settingsTable.simSpeed.name]: options.speed,
} as const;

const main = async (): Promise<void> => {
  const fleet = await chosenFleet();
  const hostnames = toMaintain(fleet);
  const results = await withStack({ fleet, settings: windows, signal }, (stack) => runSession(stack, hostnames));
  const settings = `fleet ${fleet.name}: ${hostnames.length} hosts to maintain, ${fleet.instances.length} instances`;
  process.stdout.write(`\n${machineLine()}\n${settings}; --speed ${options.speed}\n`);
  printSession(results, leastSeconds(fleet));
};

runTool('bench:stack', main);
