/**
 * Measures how many requests a second the API serves beside a running session, and what limits it: constraint PUTs,
 * first replies of projects and GETs of a project's instances, on the real stack (`npm run bench:api`). A session of
 * `vnf` rolls over the fleet at the same time. A second session, which waits for its start, has asked the projects that
 * reply.
 */
import os from 'node:os';
import { parseArgs } from 'node:util';
import { stopSignal } from '../../cli/stop-signal';
import type { WireFleet, WireInstance } from '../../clouds/simulated/fleet-schema';
import { runTool } from '../../config/run-program';
import { settingsTable } from '../../config/settings-table';
import { generateFleet } from './generate-fleet';
import { type Call, type LoadResult, runLoad } from './load';
import { machineLine, watchProcessors } from './machine';
import { startManager } from './manager';
import { type MeasuredStack, watchCores, withStack } from './measured-stack';
import { percentile } from './percentile';
import { printTable } from './print-table';
import { createSession, stateOf, until } from './session';
import { type Measured, mostSeen, watchWaits, whatLimits } from './what-limits';

const { values: options } = parseArgs({
  options: {
    callers: { type: 'string', default: '1,16' },
    seconds: { type: 'string', default: '10' },
    replies: { type: 'string', default: '400' },
    hosts: { type: 'string', default: '30' },
    instances: { type: 'string', default: '300' },
    speed: { type: 'string', default: '60' },
    seed: { type: 'string', default: '1' },
    database: { type: 'string' },
  },
});

const callers = options.callers.split(',').map(Number);
const replies = Number(options.replies);
const signal = stopSignal();

/** Holds the instances of the projects that reply. It is full, so the rolling session moves nothing there. */
const quietHost = 'quiet';

const projectNumber = (number: number): string => `00000000-0000-4000-9000-${String(number).padStart(12, '0')}`;

const quietInstance = (number: number): WireInstance => ({
  instance_id: `00000000-0000-4000-8000-${String(number).padStart(12, '0')}`,
  instance_name: `quiet-${number}`,
  project_id: projectNumber(number),
  host: quietHost,
  vcpus: 1,
  memory_mb: 1,
  move_s: 1,
});

const withQuietHost = (fleet: WireFleet, instances: number): WireFleet => ({
  ...fleet,
  hosts: [...fleet.hosts, { name: quietHost, type: 'compute', vcpus: instances, memory_mb: instances }],
  instances: [...fleet.instances, ...Array.from({ length: instances }, (_, number) => quietInstance(number))],
});

/** Another time of an instance with each turn. */
const changedBody = ({ instances }: WireFleet, turn: number) => {
  const instance = instances[turn % instances.length];
  if (instance === undefined) throw new Error('the fleet has no instances');
  const { instance_id, project_id, group_id, instance_name, migration_type, resource_mitigation } = instance;
  const ids = { instance_id, project_id, group_id, instance_name };
  // Another instance each time: 31 is prime.
  const limits = { max_interruption_time: 600, lead_time: 30 + (turn % 31) };
  return { ...ids, migration_type, resource_mitigation, ...limits };
};

const changed = (fleet: WireFleet, turn: number): Call => {
  const body = changedBody(fleet, turn);
  return { method: 'PUT', path: `/instance/${body.instance_id}`, body };
};

/** Instances in a request for many. */
const manyAtOnce = 100;

const changedMany = (fleet: WireFleet, turn: number): Call => {
  const instances = Array.from({ length: manyAtOnce }, (_, at) => changedBody(fleet, turn * manyAtOnce + at));
  return { method: 'PUT', path: '/constraints', body: { instances } };
};

interface Load {
  readonly name: string;
  /** The number of earlier calls, over all rows of the load. */
  readonly callOf: (turn: number) => Call | undefined;
  /** The maximum number of calls of a row. */
  readonly most: number;
}

const loadsOn = (fleet: WireFleet, waitingSession: string): readonly Load[] => {
  const projectPath = (turn: number): string => `/maintenance/${waitingSession}/${projectNumber(turn)}`;
  const body = { session_id: waitingSession, state: 'ACK_MAINTENANCE', instance_actions: {} };
  return [
    { name: 'constraint PUT', callOf: (turn) => changed(fleet, turn), most: Infinity },
    { name: `PUT of ${manyAtOnce} constraints`, callOf: (turn) => changedMany(fleet, turn), most: Infinity },
    { name: 'reply PUT', callOf: (turn) => ({ method: 'PUT', path: projectPath(turn), body }), most: replies },
    {
      name: 'project GET',
      callOf: (turn) => ({ method: 'GET', path: projectPath(turn % (replies * callers.length)) }),
      most: Infinity,
    },
  ];
};

interface Row extends LoadResult, Measured {
  readonly name: string;
  readonly callers: number;
  /** The state of the other session at the end of the load. */
  readonly beside: string;
}

const whileWatching = async (stack: MeasuredStack, load: () => Promise<LoadResult>): Promise<LoadResult & Measured> => {
  const [busyShare, cores, stopLooking] = [watchProcessors(), await watchCores(stack), watchWaits(stack.db)];
  try {
    const result = await load();
    const machine = { processors: os.cpus().length, busyShare: busyShare() };
    return { ...result, machine, cores: await cores(), waits: await stopLooking() };
  } finally {
    await stopLooking();
  }
};

const measureLoad = async (
  stack: MeasuredStack,
  { load, count, turns, session }: { load: Load; count: number; turns: { next: number }; session: string },
): Promise<Row> => {
  const last = turns.next + load.most;
  const nextCall = (): Call | undefined => (turns.next < last ? load.callOf(turns.next++) : undefined);
  const seconds = Number(options.seconds);
  const watched = await whileWatching(stack, () =>
    runLoad({ api: stack.api, callers: count, seconds, nextCall, signal }),
  );
  // replies that came after the end of the load still belong to this row
  if (load.most !== Infinity) turns.next = last;
  return { ...watched, name: load.name, callers: count, beside: await stateOf(stack.api, session) };
};

const heading = ['request', 'callers', 'answered', 'failed', 'per second', 'p50 ms', 'p99 ms'];
const coreHeading = [
  'api',
  'worker',
  'PostgreSQL',
  'Temporal',
  'bench',
  'session beside it',
  'PostgreSQL was seen',
  'limited by',
];

const cellsOf = (row: Row): string[] => [
  row.name,
  String(row.callers),
  String(row.latenciesMs.length),
  String(row.failures),
  (row.latenciesMs.length / row.seconds).toFixed(0),
  percentile(row.latenciesMs, 0.5).toFixed(1),
  percentile(row.latenciesMs, 0.99).toFixed(1),
  ...Object.values(row.cores).map((cores) => cores.toFixed(2)),
  row.beside,
  mostSeen(row),
  whatLimits(row),
];

const minuteMs = 60_000;
const hourMs = 60 * minuteMs;

/** Waits until all projects of a session whose start is far off have been asked. */
const askProjects = async ({ api, db }: MeasuredStack): Promise<string> => {
  const id = await createSession(api, { hosts: [quietHost], startsAt: new Date(Date.now() + hourMs) });
  const all = replies * callers.length;
  const areAsked = async (): Promise<boolean> =>
    (await db.question.count({ where: { sessionId: id, askedAt: { not: null } } })) === all;
  await until(areAsked, { what: `the questions to ${all} projects`, withinMs: 5 * minuteMs, signal });
  return id;
};

/** Waits until the first host of a session that takes one host after the other is under work. */
const roll = async ({ api, db }: MeasuredStack, { hosts }: WireFleet): Promise<string> => {
  const names = hosts.map(({ name }) => name);
  const id = await createSession(api, { hosts: names, startsAt: new Date(), maxParallelHosts: 2 });
  const isUnderWork = async (): Promise<boolean> =>
    (await db.sessionHost.count({ where: { sessionId: id, drainStartedAt: { not: null } } })) > 0;
  await until(isUnderWork, { what: 'the first host under work', withinMs: 2 * minuteMs, signal });
  return id;
};

const measure = async (stack: MeasuredStack, fleet: WireFleet): Promise<Row[]> => {
  const waiting = await askProjects(stack);
  const manager = startManager(stack.api, (sessionId) => sessionId !== waiting);
  const rows: Row[] = [];
  try {
    const session = await roll(stack, fleet);
    for (const load of loadsOn(fleet, waiting)) {
      const turns = { next: 0 };
      for (const count of callers) rows.push(await measureLoad(stack, { load, count, turns, session }));
    }
    return rows;
  } finally {
    await manager.stop();
  }
};

const pace = {
  [settingsTable.simSpeed.name]: options.speed,
  // the waiting session's projects are measured when their row's turn comes
  [settingsTable.projectReplySeconds.name]: '3600',
  ...(options.database !== undefined && { [settingsTable.databaseUrl.name]: options.database }),
};

const main = async (): Promise<void> => {
  const [hosts, instances, seed] = [options.hosts, options.instances, options.seed].map(Number);
  const fleet = generateFleet({ hosts: hosts ?? 0, instances: instances ?? 0, seed: seed ?? 0, recoverySeconds: 1 });
  const whole = withQuietHost(fleet, replies * callers.length);
  const rows = await withStack({ fleet: whole, settings: pace, signal }, (stack) => measure(stack, fleet));
  const settings = Object.entries(options).map(([name, value]) => `--${name} ${value}`);
  process.stdout.write(`\n${machineLine()}\n${settings.join(' ')}, fleet ${fleet.name}\n`);
  printTable('Requests, and processors that each process kept busy', [
    [...heading, ...coreHeading],
    ...rows.map(cellsOf),
  ]);
};

runTool('bench:api', main);
