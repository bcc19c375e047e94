/**
 * How soon the service acts while many moves are in flight (`npm run bench:busy`): one session holds them, with moves
 * that do not end, and small sessions beside it are decided about, replied to, aborted and deleted.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { stopSignal } from '../../cli/stop-signal';
import type { WireFleet, WireGroup, WireInstance } from '../../clouds/simulated/fleet-schema';
import { runTool } from '../../config/run-program';
import { settingsTable } from '../../config/settings-table';
import { machineLine } from './machine';
import { startManager } from './manager';
import { type MeasuredStack, withStack } from './measured-stack';
import { percentile } from './percentile';
import { printTable } from './print-table';
import { createSession, deleteSession, until } from './session';

const { values: options } = parseArgs({
  options: {
    // in flight all the time; ten leave each host
    moves: { type: 'string', default: '2000' },
    // sessions beside them, one after the other
    rounds: { type: 'string', default: '50' },
  },
});

const [moves, rounds] = [Number(options.moves), Number(options.rounds)];
const signal = stopSignal();
const movesOfHost = 10;
const hour = 3600;

const idOf = (kind: number, number: number): string =>
  `00000000-0000-4000-${9000 + kind}-${String(number).padStart(12, '0')}`;
const project = { held: idOf(0, 0), beside: idOf(0, 1) } as const;

const groupOf = (projectId: string, number: number): WireGroup => ({
  group_id: idOf(1, number),
  project_id: projectId,
  group_name: `group-${number}`,
  anti_affinity_group: false,
  max_instances_per_host: 1,
  max_impacted_members: moves,
  recovery_time: 0,
  resource_mitigation: false,
});

/** A move takes an hour, so that none ends. */
const instanceOf = (number: number, of: { readonly host: string; readonly group: WireGroup }): WireInstance => ({
  instance_id: idOf(2, number),
  instance_name: `instance-${number}`,
  project_id: of.group.project_id,
  group_id: of.group.group_id,
  host: of.host,
  vcpus: 1,
  memory_mb: 1,
  migration_type: 'MIGRATE',
  // Nobody is asked about those whose moves are to be held.
  lead_time: of.group.project_id === project.held ? 0 : 60,
  ready_s: 0,
  max_interruption_time: hour,
  resource_mitigation: false,
  move_s: hour,
});

const heldHosts = Array.from({ length: Math.ceil(moves / movesOfHost) }, (_, number) => `held-${number}`);
const besideHosts = Array.from({ length: rounds }, (_, number) => `beside-${number}`);

const fleet = (): WireFleet => {
  const groups = { held: groupOf(project.held, 0), beside: groupOf(project.beside, 1) };
  const targets = heldHosts.map((_, number) => `target-${number}`);
  const hostOf = (name: string, vcpus: number) => ({
    name,
    type: 'compute' as const,
    vcpus,
    memory_mb: vcpus,
    maintenance_s: hour,
  });
  return {
    name: `busy-${moves}`,
    seed: 1,
    hosts: [
      ...[...heldHosts, ...targets].map((name) => hostOf(name, 2 * movesOfHost)),
      // Full, so that no held move goes there.
      ...besideHosts.map((name) => hostOf(name, 1)),
    ],
    groups: Object.values(groups),
    instances: [
      ...Array.from({ length: moves }, (_, number) =>
        instanceOf(number, { host: `held-${Math.floor(number / movesOfHost)}`, group: groups.held }),
      ),
      ...besideHosts.map((host, number) => instanceOf(moves + number, { host, group: groups.beside })),
    ],
  };
};

const pollMs = 20;
const patienceMs = 60_000;

/** @returns the milliseconds until `isMet` */
const timeUntil = async (what: string, isMet: () => Promise<boolean>): Promise<number> => {
  const beganMs = performance.now();
  while (!(await isMet())) {
    if (performance.now() - beganMs > patienceMs) throw new Error(`${what} did not come within ${patienceMs / 1000} s`);
    await sleep(pollMs, undefined, { signal });
  }
  return performance.now() - beganMs;
};

const send = async (url: string, method: 'PUT' | 'POST', body: object): Promise<void> => {
  const request = { method, headers: { 'content-type': 'application/json' }, body: JSON.stringify(body), signal };
  const response = await fetch(url, request);
  const text = await response.text();
  if (!response.ok) throw new Error(`${method} ${url}: ${response.status} ${text}`);
};

/** Names what was done to a small session. The times are the milliseconds until the service had acted on it. */
const acts = ['reply about the session', 'decision', 'reply about an instance', 'abort', 'deletion'] as const;
type Times = Readonly<Record<(typeof acts)[number], number>>;

/** A session of one host, whose project has been asked about it. */
const openSession = async ({ api, db }: MeasuredStack, number: number): Promise<string> => {
  const sessionId = await createSession(api, { hosts: [besideHosts[number] ?? ''], startsAt: new Date() });
  const isAsked = async () => (await db.question.count({ where: { sessionId, askedAt: { not: null } } })) > 0;
  await timeUntil('the first question', isAsked);
  return sessionId;
};

/** Deletes a session before its first move: one with a move in flight is deleted when that is over. */
const deleteOne = async (stack: MeasuredStack, number: number): Promise<number> => {
  const sessionId = await openSession(stack, number);
  const beganMs = performance.now();
  await deleteSession(stack.api, sessionId);
  await timeUntil('the deletion', async () => {
    const session = await stack.db.session.findUnique({ where: { id: sessionId }, select: { deletedAt: true } });
    return session?.deletedAt !== null;
  });
  return performance.now() - beganMs;
};

/** Two small sessions over one host: one is deleted, the other one has a move under way when it is aborted. */
const round = async (stack: MeasuredStack, number: number): Promise<Times> => {
  const { api, db } = stack;
  const deletion = await deleteOne(stack, number);
  const instanceId = idOf(2, moves + number);
  const sessionId = await openSession(stack, number);
  const url = `${api}/v1/maintenance/${sessionId}`;
  await send(`${url}/${project.beside}`, 'PUT', { state: 'ACK_MAINTENANCE' });
  const wasLeft = await timeUntil('the next state', async () => {
    const session = await db.session.findUnique({ where: { id: sessionId }, select: { state: true } });
    return session?.state !== 'MAINTENANCE';
  });
  const asked = await timeUntil('the question about the instance', async () => {
    return (await db.question.count({ where: { sessionId, instanceId, askedAt: { not: null } } })) > 0;
  });
  const question = await db.question.findFirst({ where: { sessionId, instanceId } });
  await send(`${url}/${project.beside}/${instanceId}`, 'PUT', { state: `ACK_${question?.state ?? ''}` });
  const moved = await timeUntil('the move', async () => (await db.simMove.count({ where: { instanceId } })) > 0);
  const beganMs = performance.now();
  await send(`${url}/abort`, 'POST', {});
  await timeUntil('the abort', async () => {
    const session = await db.session.findUnique({ where: { id: sessionId }, select: { abortTakenUpAt: true } });
    return session?.abortTakenUpAt !== null;
  });
  const abort = performance.now() - beganMs;
  return {
    'reply about the session': wasLeft,
    decision: asked,
    'reply about an instance': moved,
    abort,
    deletion,
  };
};

const measure = async (stack: MeasuredStack): Promise<readonly Times[]> => {
  let held = '';
  const manager = startManager(stack.api, (sessionId) => sessionId === held);
  try {
    held = await createSession(stack.api, { hosts: heldHosts, startsAt: new Date(Date.now() + 2_000) });
    const areInFlight = async () => (await stack.db.simMove.count({ where: { status: 'running' } })) >= moves;
    await until(areInFlight, { what: `${moves} moves in flight`, withinMs: 10 * 60_000, signal });
    const times: Times[] = [];
    for (let number = 0; number < rounds; number += 1) times.push(await round(stack, number));
    return times;
  } finally {
    await manager.stop();
  }
};

const settings = {
  [settingsTable.simSpeed.name]: '1',
  [settingsTable.projectReplySeconds.name]: String(hour),
  [settingsTable.moveSeconds.name]: String(hour),
  // An aborted session stays until its move is over.
  [settingsTable.maxSessions.name]: '100',
} as const;

const main = async (): Promise<void> => {
  const times = await withStack({ fleet: fleet(), settings, signal }, measure);
  process.stdout.write(`\n${machineLine()}\n${moves} moves in flight on one worker, ${rounds} sessions beside them\n`);
  printTable('Seconds until the service has acted', [
    ['act', 'p50', 'p99', 'longest'],
    ...acts.map((act) => {
      const all = times.map((each) => each[act] / 1000);
      return [act, ...[percentile(all, 0.5), percentile(all, 0.99), Math.max(...all)].map((one) => one.toFixed(2))];
    }),
  ]);
};

runTool('bench:busy', main);
