/**
 * How well plans foretell the end of a session, and when each instance leaves its host (`npm run bench:forecast`):
 * fleets of all profiles and sizes, each with one session behind it. That one is played in virtual time; the plan of
 * the next session learns from its trace alone, then the next session is played too, with times that differ from those
 * of the first as real ones would: every maintenance and move within a fifth, and managers that answer, answer late or
 * are silent as before. At the end plans of --largest hosts are timed. The fleets come from the generator beside the
 * schedule checker.
 */
import { mkdtemp, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { readFleetFile } from '../../clouds/simulated/fleet-file';
import { runTool } from '../../config/run-program';
import { weekdays } from '../../rules/maintenance-windows/maintenance-window';
import type { FileFleet } from '../../rules/simulation/file-fleet';
import { makePlan } from '../../rules/simulation/plan/make-plan';
import type { PlanInput, PlannedSteering } from '../../rules/simulation/plan/plan';
import { planInputOf } from '../../rules/simulation/plan/plan-of-fleet';
import { seenInTrace } from '../../rules/simulation/seen-in-trace';
import { simulate } from '../../rules/simulation/simulate';
import { limitsOfStrategy } from '../../rules/simulation/strategy';
import { randomFrom } from './generate-fleet';
import { makeFleet } from './judge';
import { machineLine } from './machine';

const { values: options } = parseArgs({
  options: {
    checker: { type: 'string', default: process.env['PARLEY_SCHEDULE_CHECKER'] ?? '' },
    profiles: { type: 'string', default: 'telco,cloud,tight,edge' },
    hosts: { type: 'string', default: '20,40,80,120,160' },
    seeds: { type: 'string', default: '301,302,303' },
    largest: { type: 'string', default: '1000' },
  },
});

/** How far the times of the second session are off those of the first, at most. */
const spread = 0.2;

const off = (seconds: number, random: () => number): number => seconds * (1 - spread + 2 * spread * random());

/** The fleet after the first session, with the times of the second one. */
const afterFirst = (fleet: FileFleet, hostOf: ReadonlyMap<string, string>, random: () => number): FileFleet => ({
  ...fleet,
  hosts: fleet.hosts.map((host) => ({ ...host, maintenanceSeconds: off(host.maintenanceSeconds, random) })),
  instances: fleet.instances.map((instance) => ({
    ...instance,
    host: hostOf.get(instance.instanceId) ?? instance.host,
    moveSeconds: off(instance.moveSeconds, random),
    ...(instance.readySeconds != null && { readySeconds: off(instance.readySeconds, random) }),
  })),
});

interface Foretold {
  readonly estimateSeconds: number;
  readonly realSeconds: number;
  readonly isInRange: boolean;
  readonly planMs: number;
  /** The share of the instances whose first move starts near the time that the plan foretold. */
  readonly startsNear: number;
}

const near = 0.15;

/** Milliseconds of the first move, by instance. */
type Starts = ReadonlyMap<string, number>;

const firstOf = (moves: readonly (readonly [instanceId: string, atMs: number])[]): Starts => {
  const starts = new Map<string, number>();
  for (const [instanceId, atMs] of moves) starts.set(instanceId, Math.min(atMs, starts.get(instanceId) ?? Infinity));
  return starts;
};

/** Within a share of the session's length, as seen from its beginning. An instance that moves in one only is not. */
const shareNear = (foretold: Starts, real: Starts, lengthMs: number): number => {
  const all = new Set([...foretold.keys(), ...real.keys()]);
  const isNear = (id: string): boolean =>
    Math.abs((foretold.get(id) ?? Infinity) - (real.get(id) ?? -Infinity)) <= near * lengthMs;
  return [...all].filter(isNear).length / all.size;
};

const startsIn = (trace: ReturnType<typeof simulate>['trace']) => trace.filter(({ event }) => event === 'move_start');

/** Times that the plan counts beside the work on hosts: projects are asked when it begins and when it ends. */
const foretell = (fleet: FileFleet, seed: number): Foretold | undefined => {
  const limits = limitsOfStrategy('vnf', fleet);
  const first = simulate(fleet, { limits });
  if (first.failure !== undefined) return undefined;
  const hostOf = new Map(startsIn(first.trace).map(({ instance, to }) => [String(instance), String(to)]));
  const next = afterFirst(fleet, hostOf, randomFrom(seed));
  const seen = seenInTrace(first.trace, fleet);
  const before = performance.now();
  const plan = makePlan(planInputOf(next, { worksLike: 'vnf', seen }));
  const planMs = performance.now() - before;
  const real = simulate(next, { limits, learnsFrom: seen });
  if (!plan.endsAtMs || real.failure !== undefined) return undefined;
  const rolledAtMs =
    plan.states.find(({ state }) => state === 'MAINTENANCE_COMPLETE')?.fromMs ?? plan.endsAtMs.expected;
  const aroundMs = plan.endsAtMs.expected - (rolledAtMs - plan.beginsAtMs);
  const realMs = real.makespanSeconds * 1000 + aroundMs;
  return {
    estimateSeconds: plan.endsAtMs.expected / 1000,
    realSeconds: realMs / 1000,
    isInRange: realMs >= plan.endsAtMs.earliest && realMs <= plan.endsAtMs.latest,
    planMs,
    startsNear: shareNear(
      firstOf(plan.moves.map(({ instanceId, span }) => [instanceId, span.fromMs])),
      firstOf(startsIn(real.trace).map(({ instance, t }) => [String(instance), plan.beginsAtMs + t * 1000])),
      realMs,
    ),
  };
};

const deviationOf = ({ estimateSeconds, realSeconds }: Foretold): number =>
  Math.abs(realSeconds - estimateSeconds) / estimateSeconds;

const listOf = (text: string): readonly string[] => text.split(',').filter((item) => item !== '');
const print = (cells: readonly string[]): void =>
  void process.stdout.write(`${cells.map((cell) => cell.padStart(12)).join(' ')}\n`);

const withFleet = async <T>(
  request: { readonly profile: string; readonly hosts: number; readonly seed: number },
  use: (fleet: FileFleet) => T,
): Promise<T> => {
  const folder = await mkdtemp(path.join(os.tmpdir(), 'parley-forecast-'));
  try {
    const out = path.join(folder, 'fleet.json');
    makeFleet(options.checker, { ...request, out });
    return use(await readFleetFile(out));
  } finally {
    await rm(folder, { recursive: true });
  }
};

const foretellAll = async (): Promise<void> => {
  print(['profile', 'hosts', 'seed', 'estimate s', 'real s', 'off by %', 'in range', 'starts near', 'plan ms']);
  const all: Foretold[] = [];
  for (const profile of listOf(options.profiles)) {
    for (const hosts of listOf(options.hosts).map(Number)) {
      for (const seed of listOf(options.seeds).map(Number)) {
        const one = await withFleet({ profile, hosts, seed }, (fleet) => foretell(fleet, seed));
        if (!one) {
          print([profile, String(hosts), String(seed), 'cannot be maintained wholly']);
          continue;
        }
        all.push(one);
        const { estimateSeconds, realSeconds, isInRange, planMs, startsNear } = one;
        const numbers = [estimateSeconds, realSeconds, deviationOf(one) * 100].map((value) => value.toFixed(1));
        print([
          profile,
          String(hosts),
          String(seed),
          ...numbers,
          isInRange ? 'yes' : 'no',
          `${(100 * startsNear).toFixed(0)} %`,
          planMs.toFixed(0),
        ]);
      }
    }
  }
  const within = all.filter((one) => deviationOf(one) <= near).length;
  const inRange = all.filter(({ isInRange }) => isInRange).length;
  const startsGood = all.filter(({ startsNear }) => startsNear >= 0.9).length;
  const worst = Math.max(...all.map(deviationOf)) * 100;
  process.stdout.write(
    `${within} of ${all.length} ends within ${near * 100} % of the estimate, the worst off by ${worst.toFixed(1)} %; ` +
      `${inRange} in the plan's range; ${startsGood} with nine of ten first moves as near to their foretold start\n`,
  );
};

/** A canary, and one window a day: a session of so many hosts takes several of them. */
const steering: PlannedSteering = {
  canary: { canary: { hosts: 2, then: 'continue', waitSeconds: 600 } },
  calendar: { windows: [{ days: weekdays, from: '00:00', to: '06:00', timeZone: 'UTC' }] },
};

const steered = (input: PlanInput): PlanInput => ({
  ...input,
  sessions: input.sessions.map((session) => ({ ...session, steering })),
});

const largestPlans: Readonly<Record<string, (fleet: FileFleet) => PlanInput>> = {
  vnf: (fleet) => planInputOf(fleet, { worksLike: 'vnf' }),
  default: (fleet) => planInputOf(fleet, { worksLike: 'default' }),
  'vnf, windows and canary': (fleet) => steered(planInputOf(fleet, { worksLike: 'vnf' })),
};

/** Measures the time of one plan for each workflow, and of one that is steered. */
const timeLargest = async (): Promise<void> => {
  const hosts = Number(options.largest);
  if (hosts === 0) return;
  for (const profile of listOf(options.profiles)) {
    await withFleet({ profile, hosts, seed: 1 }, (fleet) => {
      for (const [name, inputOf] of Object.entries(largestPlans)) timePlan(`${profile}, ${name}`, inputOf(fleet));
    });
  }
};

const timePlan = (name: string, input: PlanInput): void => {
  const before = process.cpuUsage();
  const wall = performance.now();
  makePlan(input);
  const { user, system } = process.cpuUsage(before);
  const [seconds, cpu] = [(performance.now() - wall) / 1000, (user + system) / 1e6].map((value) => value.toFixed(1));
  process.stdout.write(
    `a plan of ${input.cloudHosts.length} hosts (${name}): ${seconds} s, ${cpu} s of processor time\n`,
  );
};

const main = async (): Promise<void> => {
  if (options.checker === '') throw new Error('name the checker of schedules: --checker PATH/check.py');
  process.stdout.write(`${machineLine()}, seeds ${options.seeds}\n`);
  await foretellAll();
  await timeLargest();
};

runTool('bench:forecast', main);
