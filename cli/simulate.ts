/** `parley simulate`: runs a fleet file in virtual time, with the decisions that a real session would take. */
import { writeFile } from 'node:fs/promises';
import { type Command, Option } from 'commander';
import { readFleetFile } from '../clouds/simulated/fleet-file';
import { nothingSeen } from '../rules/expectations/expected-times';
import type { FileFleet } from '../rules/simulation/file-fleet';
import { simulate, type SimulationOptions } from '../rules/simulation/simulate';
import { limitsOfStrategy, strategies, type Strategy } from '../rules/simulation/strategy';
import { readEarlierSession } from './simulate/earlier-session';

interface SimulateOptions {
  readonly fleet: string;
  readonly trace: string;
  readonly strategy: Strategy;
  readonly hideDurations?: true;
  /** A file. */
  readonly learnFrom?: string;
}

type Say = (text: string) => void;

/** @throws Error when some hosts cannot be maintained; the trace up to then is written */
const runSimulation = async (options: SimulateOptions, remark: Say): Promise<string> => {
  const fleet = await readFleetFile(options.fleet);
  const learning = await learningOf(options, fleet, remark);
  const result = simulate(fleet, { limits: limitsOfStrategy(options.strategy, fleet), ...learning });
  await writeFile(options.trace, result.trace.map((event) => `${JSON.stringify(event)}\n`).join(''));
  if (result.failure !== undefined) {
    throw new Error(`${fleet.name}: after ${result.makespanSeconds} s the session cannot go on: ${result.failure}`);
  }
  return `${fleet.name}: makespan ${result.makespanSeconds} s, ${result.moves} moves\n`;
};

/** Whoever learns is not told: what the file says of a host's time would come first. */
const learningOf = async (
  { hideDurations, learnFrom }: SimulateOptions,
  fleet: FileFleet,
  remark: Say,
): Promise<Pick<SimulationOptions, 'learnsFrom'>> => {
  if (learnFrom === undefined) return hideDurations === true ? { learnsFrom: nothingSeen } : {};
  const { seen, remarks } = await readEarlierSession(learnFrom, fleet);
  for (const text of remarks) remark(`${text}\n`);
  return { learnsFrom: seen };
};

export const addSimulateCommand = (program: Command): void => {
  const output = () => program.configureOutput();
  program
    .command('simulate')
    .requiredOption('--fleet <file>', 'the fleet')
    .requiredOption('--trace <file>', 'where to write the trace, one event a line')
    .addOption(
      new Option('--strategy <name>', 'vnf: as many hosts at once as is safe; serial: one; batch: a tenth of them')
        .choices(strategies)
        .default('vnf'),
    )
    .option('--hide-durations', 'do not tell how long maintaining a host takes; decisions learn from those that end')
    .option(
      '--learn-from <trace>',
      'let decisions expect what hosts took in an earlier session, by its trace (includes --hide-durations)',
    )
    .action(async (options: SimulateOptions) =>
      output().writeOut?.(await runSimulation(options, (text) => output().writeErr?.(text))),
    );
};
