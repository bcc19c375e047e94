/**
 * Measures how the time of decisions grows with the fleet: one plan of `vnf` from start to end for each size. No
 * checker judges it.
 */
import { mkdtemp, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { parseFleet, readFleetFile } from '../../clouds/simulated/fleet-file';
import type { VnfFacts } from '../../rules/decisions/both-workflows/session-facts';
import type { FileFleet } from '../../rules/simulation/file-fleet';
import { simulate } from '../../rules/simulation/simulate';
import { limitsOfStrategy } from '../../rules/simulation/strategy';
import { decideAllVnf } from '../../rules/steps/decide-all-vnf';
import { generateFleet } from './generate-fleet';
import { makeFleet } from './judge';
import { mean, percentile, sum } from './percentile';

const instancesPerHost = 12;
const seed = 1;

interface GrowthRequest {
  readonly sizes: readonly number[];
  readonly profile: string;
  /** The folder of the fleet generator; empty: our own generator makes the fleets. */
  readonly checker: string;
}

const fleetOf = async (hosts: number, { checker, profile }: GrowthRequest): Promise<FileFleet> => {
  if (checker === '') {
    return parseFleet(generateFleet({ hosts, instances: hosts * instancesPerHost, seed, recoverySeconds: 60 }));
  }
  const folder = await mkdtemp(path.join(os.tmpdir(), 'parley-growth-'));
  try {
    const out = path.join(folder, 'fleet.json');
    makeFleet(checker, { profile, hosts, seed, out });
    return await readFleetFile(out);
  } finally {
    await rm(folder, { recursive: true });
  }
};

interface Planned {
  readonly instances: number;
  readonly decisionMs: number;
  readonly cells: readonly string[];
}

/** Every this many decisions, one is taken again on a fresh snapshot. */
const decisionsForEachSnapshot = 100;

/**
 * Takes decisions as the service does: on a fresh snapshot, with a reason for everything that waits. @returns
 * milliseconds
 */
const planOnSnapshots = (snapshotMs: number[]): ((facts: VnfFacts) => void) => {
  let decisions = 0;
  return ({ model, nowMs, limits, ...session }) => {
    decisions += 1;
    if (decisions % decisionsForEachSnapshot !== 0) return;
    const view = { ...session, fleet: model.snapshot() };
    const before = performance.now();
    decideAllVnf(view, nowMs, limits);
    snapshotMs.push(performance.now() - before);
  };
};

const planWhole = (fleet: FileFleet): Planned => {
  const limits = limitsOfStrategy('vnf', fleet);
  const snapshotMs: number[] = [];
  const { decisionMs, makespanSeconds, moves, failure } = simulate(fleet, {
    limits,
    clock: () => performance.now(),
    watch: planOnSnapshots(snapshotMs),
  });
  if (failure !== undefined) throw new Error(`${fleet.name}: ${failure}`);
  const whole = sum(decisionMs);
  const numbers = [mean(decisionMs), percentile(decisionMs, 0.99), Math.max(...decisionMs)];
  const onSnapshots = [mean(snapshotMs), percentile(snapshotMs, 0.99)];
  return {
    instances: fleet.instances.length,
    decisionMs: whole,
    cells: [
      fleet.name,
      String(fleet.hosts.length),
      String(fleet.instances.length),
      String(moves),
      makespanSeconds.toFixed(0),
      String(decisionMs.length),
      whole.toFixed(0),
      ...[...numbers, ...onSnapshots].map((ms) => ms.toFixed(2)),
    ],
  };
};

/** The exponent with which the time of decisions grew with the number of instances since the size before. */
const growthSince = (before: Planned | undefined, now: Planned): string => {
  if (before === undefined) return '-';
  return (Math.log(now.decisionMs / before.decisionMs) / Math.log(now.instances / before.instances)).toFixed(2);
};

const heading = ['fleet', 'hosts', 'instances', 'moves', 'makespan s', 'decisions', 'decisions ms'];
const restOfHeading = ['mean ms', 'p99 ms', 'longest ms', 'service ms', 'its p99 ms', 'grows with'];

/** Prints each row at once, because the large ones take long. */
export const printGrowth = async (request: GrowthRequest): Promise<void> => {
  const print = (cells: readonly string[]): void =>
    void process.stdout.write(`${cells.map((cell, column) => cell.padStart(column === 0 ? 22 : 11)).join(' ')}\n`);
  print([...heading, ...restOfHeading]);
  let before: Planned | undefined;
  for (const hosts of request.sizes) {
    const now = planWhole(await fleetOf(hosts, request));
    print([...now.cells, growthSince(before, now)]);
    before = now;
  }
};
