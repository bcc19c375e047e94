/**
 * How well plans foretell the end of a session on the whole service (`npm run bench:forecast-stack`): small fleets of
 * the simulated cloud, each with one session behind it from which the service has learned. A row compares the plan of
 * `POST /v1/maintenance/plan` with the end of the session that is created from it. The simulated cloud takes the same
 * times again, and a manager answers at once: what is left is the service, and where instances are by now.
 */
import { parseArgs } from 'node:util';
import { stopSignal } from '../../cli/stop-signal';
import { runTool } from '../../config/run-program';
import { settingsTable } from '../../config/settings-table';
import { generateFleet } from './generate-fleet';
import { machineLine, watchProcessors } from './machine';
import { startManager } from './manager';
import { type MeasuredStack, withStack } from './measured-stack';
import { printTable } from './print-table';
import { createSession, planSession, type SessionToCreate, stateOf, until } from './session';

const { values: options } = parseArgs({
  options: {
    fleets: { type: 'string', default: '6x12,6x18,8x24,8x32,10x40' },
    seed: { type: 'string', default: '1' },
    speed: { type: 'string', default: '10' },
    minutes: { type: 'string', default: '20' },
  },
});

const signal = stopSignal();

interface Sizes {
  readonly hosts: number;
  readonly instances: number;
}

const sizesOf = (text: string): Sizes[] =>
  text.split(',').map((one) => {
    const [hosts = Number.NaN, instances = Number.NaN] = one.split('x').map(Number);
    if (Number.isInteger(hosts) && Number.isInteger(instances)) return { hosts, instances };
    throw new Error(`--fleets: ${one} is not HOSTSxINSTANCES, such as 8x24`);
  });

const runToEnd = async ({ api }: MeasuredStack, request: SessionToCreate): Promise<void> => {
  const sessionId = await createSession(api, request);
  const isOver = async (): Promise<boolean> => {
    const state = await stateOf(api, sessionId);
    if (state === 'MAINTENANCE_FAILED') throw new Error(`session ${sessionId} has failed`);
    return state === 'MAINTENANCE_DONE';
  };
  const withinMs = Number(options.minutes) * 60_000;
  await until(isOver, { what: 'the end of the session', withinMs, signal });
};

interface Foretold {
  readonly expectedSeconds: number;
  readonly isInRange: boolean;
  readonly realSeconds: number;
}

const foretell = async (stack: MeasuredStack): Promise<Foretold> => {
  const manager = startManager(stack.api, () => true);
  try {
    await runToEnd(stack, { hosts: [], startsAt: new Date() });
    const request: SessionToCreate = { hosts: [], startsAt: new Date() };
    const beforeMs = Date.now();
    const { earliest, expected, latest } = await planSession(stack.api, request);
    await runToEnd(stack, request);
    const endMs = Date.now();
    return {
      expectedSeconds: (expected.getTime() - beforeMs) / 1000,
      isInRange: earliest.getTime() <= endMs && endMs <= latest.getTime(),
      realSeconds: (endMs - beforeMs) / 1000,
    };
  } finally {
    await manager.stop();
  }
};

/** No window ends and no move is forced, however busy the machine is. */
const settings = {
  [settingsTable.projectReplySeconds.name]: '60',
  [settingsTable.simSpeed.name]: options.speed,
} as const;

const measure = async ({ hosts, instances }: Sizes): Promise<readonly string[]> => {
  const fleet = generateFleet({ hosts, instances, seed: Number(options.seed), recoverySeconds: 1 });
  const busyShare = watchProcessors();
  const { expectedSeconds, isInRange, realSeconds } = await withStack({ fleet, settings, signal }, foretell);
  const off = (100 * Math.abs(realSeconds - expectedSeconds)) / expectedSeconds;
  const numbers = [expectedSeconds, realSeconds, off].map((value) => value.toFixed(1));
  return [String(hosts), String(instances), ...numbers, isInRange ? 'yes' : 'no', `${Math.round(100 * busyShare())} %`];
};

const main = async (): Promise<void> => {
  const rows: (readonly string[])[] = [];
  for (const sizes of sizesOf(options.fleets)) {
    const row = await measure(sizes);
    process.stderr.write(`${row.join(' ')}\n`);
    rows.push(row);
  }
  process.stdout.write(`\n${machineLine()}; --seed ${options.seed} --speed ${options.speed}\n`);
  const heading = ['hosts', 'instances', 'estimate s', 'real s', 'off by %', 'in range', 'machine busy'];
  printTable('The plan and the end of its session', [heading, ...rows]);
};

runTool('bench:forecast-stack', main);
