/**
 * A real session of 8 hosts beside the simulation of the same fleet: as many moves, and as many hosts at once, give or
 * take what depends on the machine. Times are short, but long beside what the stack takes, and the simulated cloud is
 * as fast as time itself, so that constraints (which are whole seconds) and moves keep their proportion.
 */
import { setTimeout as pause } from 'node:timers/promises';
import { traceOf } from '../../../cli/trace/session-trace';
import { parseFleet } from '../../../clouds/simulated/fleet-file';
import { findSessionCourse } from '../../../prisma/session/session-trace';
import { simulate, type TraceEvent } from '../../../rules/simulation/simulate';
import { limitsOfStrategy } from '../../../rules/simulation/strategy';
import { aFleetFile, aFleetGroup, aFleetHost, aFleetInstance, uuidNumber } from '../../builders/a-fleet-file';
import { anAdmin } from '../rig/admin';
import { startManager } from '../rig/manager';
import { startRig } from '../rig/rig';

const range = (count: number): readonly number[] => Array.from({ length: count }, (_, index) => index + 1);
const hostName = (number: number): string => `compute-${String(number).padStart(2, '0')}`;
const projectId = uuidNumber(901);
const groupId = (number: number): string => uuidNumber(500 + number);

/** Two instances on each of five computes, two empty ones; half of them are asked, and answer after two seconds. */
const readySeconds = 2;
const isAsked = (number: number): boolean => number % 2 === 0;

const fleet = aFleetFile({
  hosts: [
    ...range(7).map((number) => aFleetHost({ name: hostName(number), vcpus: 8, maintenance_s: 26 + (number % 5) })),
    aFleetHost({ name: 'workflowCalls', type: 'controller', is_compute: false, maintenance_s: 12 }),
  ],
  groups: range(6).map((number) =>
    aFleetGroup({
      group_id: groupId(number),
      project_id: projectId,
      group_name: `group-${number}`,
      max_impacted_members: 2,
      recovery_time: 2,
    }),
  ),
  instances: range(10).map((number) =>
    aFleetInstance({
      instance_id: uuidNumber(number),
      instance_name: `vm-${number}`,
      project_id: projectId,
      host: hostName(1 + ((number - 1) % 5)),
      group_id: groupId(1 + ((number - 1) % 6)),
      migration_type: 'LIVE_MIGRATE',
      lead_time: isAsked(number) ? 30 : 0,
      ready_s: isAsked(number) ? readySeconds : 0,
      max_interruption_time: 60,
      resource_mitigation: false,
      move_s: 8 + (number % 4),
    }),
  ),
});

const environment = {
  PARLEY_SIM_SPEED: '1',
  PARLEY_PROJECT_REPLY_SECONDS: '30',
  PARLEY_LIVE_MOVE_SECONDS: '60',
  PARLEY_MOVE_SECONDS: '60',
};

const movesIn = (trace: readonly TraceEvent[]): number => trace.filter(({ event }) => event === 'move_start').length;

const timesOf = (trace: readonly TraceEvent[], wanted: string): ReadonlyMap<string, number> =>
  new Map(trace.filter(({ event }) => event === wanted).map(({ host, t }) => [String(host ?? ''), t]));

const makespanOf = (trace: readonly TraceEvent[]): number => timesOf(trace, 'done').get('')!;

/** The most hosts that were disabled at once. */
const mostAtOnce = (trace: readonly TraceEvent[]): number => {
  let [now, most] = [0, 0];
  for (const { event } of trace) {
    if (event === 'disable') now += 1;
    if (event === 'enable') now -= 1;
    most = Math.max(most, now);
  }
  return most;
};

it('moves as little as the simulation, and works on as many hosts at once', async () => {
  const simulated = simulate(parseFleet(fleet), { limits: limitsOfStrategy('vnf', parseFleet(fleet)) });
  const rig = await startRig({ fleet, environment });
  const { db } = rig;
  const manager = startManager({
    url: rig.url,
    projectId,
    async policy({ instance_ids: ids }) {
      if (typeof ids !== 'string') await pause(readySeconds * 1000);
      return { answer: 'ACK' };
    },
  });
  const admin = anAdmin(rig.url);
  const sessionId = await admin.create({ workflow: 'vnf', actions: [{ plugin: 'dummy', type: 'host' }] });
  await admin.until(sessionId, 'MAINTENANCE_DONE');
  const trace = traceOf((await findSessionCourse(db, sessionId))!);
  manager.stop();
  await rig.stop();
  const [atOnce, simulatedAtOnce] = [trace, simulated.trace].map(mostAtOnce);
  const [moves, simulatedMoves] = [trace, simulated.trace].map(movesIn);
  process.stdout.write(
    `makespan ${makespanOf(trace)} s, simulated ${simulated.makespanSeconds} s; hosts at once ${atOnce}, simulated ${simulatedAtOnce}; moves ${moves}, simulated ${simulatedMoves}\n`,
  );
  // Which host is free first depends on how quick the machine is, and with it the targets and the order of hosts.
  expect(moves).toBeLessThanOrEqual(1.25 * simulatedMoves!);
  expect(atOnce).toBeGreaterThanOrEqual(simulatedAtOnce! - 2);
});
