/**
 * A soak of the whole stack (`npm run bench:soak`): small sessions one after the other, each deleted at its end, with
 * retention of seconds. What the service holds after the last one is compared with what it held after the first few:
 * memory of api and worker, open files, rows of each table, files, and open workflows.
 */
import { parseArgs } from 'node:util';
import { stopSignal } from '../../cli/stop-signal';
import { runTool } from '../../config/run-program';
import { settingsTable } from '../../config/settings-table';
import { connectTemporal } from '../../temporal/connect';
import { generateFleet } from './generate-fleet';
import { machineLine } from './machine';
import { startManager } from './manager';
import { type MeasuredStack, withStack } from './measured-stack';
import { printTable } from './print-table';
import { createSession, deleteSession, stateOf, until } from './session';
import { type Held, holdings } from './soak-holdings';

const { values: options } = parseArgs({
  options: {
    sessions: { type: 'string', default: '200' },
    // the comparison begins after so many
    after: { type: 'string', default: '10' },
    hosts: { type: 'string', default: '6' },
    instances: { type: 'string', default: '9' },
    speed: { type: 'string', default: '400' },
    minutes: { type: 'string', default: '5' },
    // between the last session and the look: the retention has to pass, and the sweeper to come by
    settle: { type: 'string', default: '75' },
  },
});

const [sessions, after] = [Number(options.sessions), Number(options.after)];
const signal = stopSignal();

/** Seconds, in days. */
const retentionDays = String(15 / 86_400);
const settings = {
  [settingsTable.projectReplySeconds.name]: '60',
  [settingsTable.simSpeed.name]: options.speed,
  [settingsTable.eventDays.name]: retentionDays,
  [settingsTable.deletedSessionDays.name]: retentionDays,
  [settingsTable.goneConstraintDays.name]: retentionDays,
} as const;

const runOne = async ({ api }: MeasuredStack): Promise<void> => {
  const sessionId = await createSession(api, { hosts: [], startsAt: new Date() });
  const withinMs = Number(options.minutes) * 60_000;
  const isOver = async (): Promise<boolean> => {
    const state = await stateOf(api, sessionId);
    if (state === 'MAINTENANCE_FAILED') throw new Error(`session ${sessionId} has failed`);
    return state === 'MAINTENANCE_DONE';
  };
  await until(isOver, { what: `the end of session ${sessionId}`, withinMs, signal });
  await deleteSession(api, sessionId);
};

const soak = async (stack: MeasuredStack): Promise<readonly [Held, Held]> => {
  const manager = startManager(stack.api, () => true);
  const { client, close } = await connectTemporal({ ...stack.settings, temporalAddress: stack.temporalAddress });
  const look = (): Promise<Held> => holdings(stack, { client, settleMs: Number(options.settle) * 1000, signal });
  try {
    let first: Held | undefined;
    for (let count = 1; count <= sessions; count += 1) {
      await runOne(stack);
      process.stderr.write(`${count} sessions are over\n`);
      if (count === after) first = await look();
    }
    const last = await look();
    return [first ?? last, last];
  } finally {
    await close();
    await manager.stop();
  }
};

const main = async (): Promise<void> => {
  const sizes = { hosts: Number(options.hosts), instances: Number(options.instances) };
  const fleet = generateFleet({ ...sizes, seed: 1, recoverySeconds: 1 });
  const [first, last] = await withStack({ fleet, settings, signal, withMetrics: true }, soak);
  process.stdout.write(
    `\n${machineLine()}; ${sessions} sessions of ${sizes.hosts} hosts and ${sizes.instances} instances\n`,
  );
  const rows = Object.keys(last).map((name) => [name, String(first[name] ?? 0), String(last[name] ?? 0)]);
  printTable('What the service holds', [['', `after ${after} sessions`, `after ${sessions}`], ...rows]);
};

runTool('bench:soak', main);
