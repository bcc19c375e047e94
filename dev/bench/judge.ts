/** Makes fleets and judges traces with the programs of a schedule folder (fleet.py, check.py), run with Python. */
import { spawnSync } from 'node:child_process';
import path from 'node:path';

/** A trace with the checker's verdict. Further fields are ignored. */
export interface CheckedTrace {
  readonly violations: number;
  readonly ratio: number;
  readonly moves: number;
  readonly leastMoves: number;
  readonly excessSeconds: number;
}

const mostOutputBytes = 256 * 1024 * 1024;

/** @throws Error with the program's output when it fails for another reason than a rejected trace */
const python = (args: readonly string[]): string => {
  const { status, stdout, stderr, error } = spawnSync('python3', args, {
    encoding: 'utf8',
    maxBuffer: mostOutputBytes,
  });
  if (error) throw error;
  if (status !== 0 && status !== 1) throw new Error(`${args.join(' ')}: ${stderr}`);
  return stdout;
};

const numberIn = (report: object, field: string): number => {
  const value: unknown = Reflect.get(report, field);
  if (typeof value === 'number') return value;
  throw new Error(`the checker's report has no number ${field}`);
};

export const judge = (checker: string, { fleet, trace }: { fleet: string; trace: string }): CheckedTrace => {
  const report: unknown = JSON.parse(python([checker, fleet, trace]));
  if (typeof report !== 'object' || report === null) throw new Error('the checker wrote no report');
  return {
    violations: numberIn(report, 'violations'),
    ratio: numberIn(report, 'ratio'),
    moves: numberIn(report, 'moves'),
    leastMoves: numberIn(report, 'least_moves'),
    excessSeconds: numberIn(report, 'from_notify_excess_seconds'),
  };
};

export interface FleetRequest {
  readonly profile: string;
  readonly hosts: number;
  readonly seed: number;
  readonly out: string;
}

/** Makes the fleet with the generator that lies beside the checker. */
export const makeFleet = (checker: string, { profile, hosts, seed, out }: FleetRequest): void => {
  const generator = path.join(path.dirname(checker), 'fleet.py');
  python([generator, '--hosts', String(hosts), '--seed', String(seed), '--profile', profile, '--out', out]);
};
