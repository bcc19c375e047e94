/**
 * Measures the quality of plans and the time of decisions. Fleets of all profiles, sizes and seeds are maintained one
 * host after the other, a tenth at once, and in the way of `vnf`. The checker of Parley's own tests judges every trace,
 * and so does the checker that is named with --checker (or PARLEY_SCHEDULE_CHECKER), whose folder also holds the
 * generator of the fleets. With --alike decisions expect the same maintenance time for every host, as when nobody tells
 * the time. With --hide-durations decisions learn from the hosts whose maintenance has ended. With --learned they also
 * learn from an earlier session of the same hosts, in which each host took up to --apart (a share) more or less. With
 * --growth SIZES it prints the times of decisions on such fleets instead, and no checker judges them.
 */
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { readFleetFile } from '../../clouds/simulated/fleet-file';
import { runTool } from '../../config/run-program';
import type { VnfLimits } from '../../rules/decisions/both-workflows/session-facts';
import { nothingSeen, type SeenTimes } from '../../rules/expectations/expected-times';
import type { FileFleet } from '../../rules/simulation/file-fleet';
import { seenInTrace } from '../../rules/simulation/seen-in-trace';
import { simulate, type SimulationOptions } from '../../rules/simulation/simulate';
import { limitsOfStrategy, strategies, type Strategy } from '../../rules/simulation/strategy';
import { violationsIn } from '../../test/checker/check-trace';
import { simulatedTrace } from '../../test/checker/simulated-trace';
import { randomFrom } from './generate-fleet';
import { printGrowth } from './growth';
import { type CheckedTrace, judge, makeFleet } from './judge';
import { machineLine } from './machine';
import { percentile, sum } from './percentile';

const { values: options } = parseArgs({
  options: {
    checker: { type: 'string', default: process.env['PARLEY_SCHEDULE_CHECKER'] ?? '' },
    profiles: { type: 'string', default: 'telco,cloud,tight,edge' },
    hosts: { type: 'string', default: '20,100,500,1000' },
    seeds: { type: 'string', default: '1,2,3' },
    strategies: { type: 'string', default: strategies.join(',') },
    growth: { type: 'string', default: '' },
    alike: { type: 'boolean', default: false },
    'hide-durations': { type: 'boolean', default: false },
    learned: { type: 'boolean', default: false },
    apart: { type: 'string', default: '0' },
  },
});

interface Run extends CheckedTrace {
  readonly strategy: Strategy;
  /** The verdict of the checker of Parley's own tests; undefined: the fleet is too large for it. */
  readonly ownViolations: number | undefined;
  readonly makespanSeconds: number;
  readonly decisionMs: number;
  readonly p99Ms: number;
}

/** Our checker looks at every instance again after every event: in larger fleets that takes minutes. */
const mostHostsToCount = 200;

const withMaintenanceAlike = (fleet: FileFleet): FileFleet => {
  const maintenanceSeconds = sum(fleet.hosts.map((host) => host.maintenanceSeconds)) / fleet.hosts.length;
  return { ...fleet, hosts: fleet.hosts.map((host) => ({ ...host, maintenanceSeconds })) };
};

/** The earlier session begins with nothing seen, and is a little quicker or slower on each host. */
const seenEarlier = (fleet: FileFleet, limits: VnfLimits): SeenTimes => {
  const random = randomFrom(fleet.hosts.length);
  const differently = () => 1 + Number(options.apart) * (2 * random() - 1);
  const hosts = fleet.hosts.map((host) => ({ ...host, maintenanceSeconds: host.maintenanceSeconds * differently() }));
  const { trace } = simulate(fleet, { limits, actual: { ...fleet, hosts }, learnsFrom: nothingSeen });
  return seenInTrace(trace, fleet);
};

const learningOf = (fleet: FileFleet, limits: VnfLimits): Pick<SimulationOptions, 'learnsFrom'> => {
  if (options.learned) return { learnsFrom: seenEarlier(fleet, limits) };
  return options['hide-durations'] ? { learnsFrom: nothingSeen } : {};
};

/** The machine may do other work meanwhile: that takes wall time, and much less of this. */
const processorMs = (): number => {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
};

const run = async (strategy: Strategy, fleetFile: string): Promise<Run> => {
  const fleet = await readFleetFile(fleetFile);
  const expected = options.alike ? withMaintenanceAlike(fleet) : fleet;
  const limits = limitsOfStrategy(strategy, fleet);
  const learning = learningOf(fleet, limits);
  const result = simulate(expected, { limits, actual: fleet, ...learning, clock: processorMs });
  const { trace, failure } = result;
  const judged = { events: trace, isDone: failure === undefined, impactShare: limits.defaultImpactShare };
  const traceFile = `${fleetFile}.${strategy}.jsonl`;
  await writeFile(traceFile, trace.map((event) => `${JSON.stringify(event)}\n`).join(''));
  return {
    strategy,
    ...judge(options.checker, { fleet: fleetFile, trace: traceFile }),
    ownViolations:
      fleet.hosts.length > mostHostsToCount ? undefined : violationsIn(simulatedTrace(fleet, judged)).length,
    makespanSeconds: result.makespanSeconds,
    decisionMs: sum(result.decisionMs),
    p99Ms: percentile(result.decisionMs, 0.99),
  };
};

type Cells = readonly string[];

const heading: Cells = [
  'profile',
  'hosts',
  'strategy',
  'ratio worst',
  'mean',
  'violations',
  'by our own',
  'moves/least',
  'excess s',
  'makespan s',
  'decisions ms',
  'p99 ms',
];
const printRow = (cells: Cells): void => {
  const padded = cells.map((cell, column) => cell.padStart(Math.max(9, heading[column]?.length ?? 0)));
  process.stdout.write(`${padded.join(' ')}\n`);
};

/** One row over all seeds: the worst of all values, and the mean ratio and makespan. */
const printRuns = (profile: string, hosts: number, runs: readonly Run[]): void => {
  const worst = (of: (run: Run) => number): number => Math.max(...runs.map(of));
  const mean = (of: (run: Run) => number): number => sum(runs.map(of)) / runs.length;
  printRow([
    profile,
    String(hosts),
    runs[0]?.strategy ?? '',
    worst(({ ratio }) => ratio).toFixed(3),
    mean(({ ratio }) => ratio).toFixed(3),
    String(sum(runs.map(({ violations }) => violations))),
    runs.some(({ ownViolations }) => ownViolations === undefined)
      ? '-'
      : String(sum(runs.map(({ ownViolations = 0 }) => ownViolations))),
    worst(({ moves, leastMoves }) => moves / Math.max(1, leastMoves)).toFixed(3),
    worst(({ excessSeconds }) => excessSeconds).toFixed(1),
    mean(({ makespanSeconds }) => makespanSeconds).toFixed(0),
    worst(({ decisionMs }) => decisionMs).toFixed(0),
    worst(({ p99Ms }) => p99Ms).toFixed(2),
  ]);
};

const listOf = (text: string): readonly string[] => text.split(',').filter((item) => item !== '');

const judgePlans = async (): Promise<void> => {
  if (options.checker === '') throw new Error('name the checker of schedules: --checker PATH/check.py');
  process.stdout.write(`${machineLine()}, seeds ${options.seeds}\n`);
  printRow(heading);
  const folder = await mkdtemp(path.join(os.tmpdir(), 'parley-bench-'));
  try {
    for (const profile of listOf(options.profiles)) {
      for (const hosts of listOf(options.hosts).map(Number)) {
        const files = listOf(options.seeds).map((seed) => {
          const out = path.join(folder, `${profile}-${hosts}-${seed}.json`);
          makeFleet(options.checker, { profile, hosts, seed: Number(seed), out });
          return out;
        });
        const wanted = listOf(options.strategies);
        for (const strategy of strategies.filter((one) => wanted.includes(one))) {
          const runs: Run[] = [];
          for (const file of files) runs.push(await run(strategy, file));
          printRuns(profile, hosts, runs);
        }
      }
    }
  } finally {
    await rm(folder, { recursive: true });
  }
};

/** The first profile is enough for times. */
const measureGrowth = async (): Promise<void> => {
  const [profile = 'telco'] = listOf(options.profiles);
  process.stdout.write(`${machineLine()}\n`);
  await printGrowth({ sizes: listOf(options.growth).map(Number), profile, checker: options.checker });
};

const main = (): Promise<void> => (options.growth === '' ? judgePlans() : measureGrowth());

runTool('bench:plan', main);
