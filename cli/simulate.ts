/** `parley simulate`: runs a fleet file in virtual time, with the decisions that a real session would take. */
import { writeFile } from 'node:fs/promises';
import { type Command, Option } from 'commander';
import { readFleetFile } from '../clouds/simulated/fleet-file';
import { simulate } from '../simulation/simulate';
import { limitsOf, strategies, type Strategy } from '../simulation/strategy';

interface SimulateOptions {
  readonly fleet: string;
  readonly trace: string;
  readonly strategy: Strategy;
}

/** @throws Error when some hosts cannot be maintained; the trace up to then is written */
const runSimulation = async ({ fleet: file, trace, strategy }: SimulateOptions): Promise<string> => {
  const fleet = await readFleetFile(file);
  const result = simulate(fleet, { limits: limitsOf(strategy, fleet) });
  await writeFile(trace, result.trace.map((event) => `${JSON.stringify(event)}\n`).join(''));
  if (result.failure !== undefined) {
    throw new Error(`${fleet.name}: after ${result.makespanSeconds} s the session cannot go on: ${result.failure}`);
  }
  return `${fleet.name}: makespan ${result.makespanSeconds} s, ${result.moves} moves\n`;
};

export const addSimulateCommand = (program: Command): void => {
  program
    .command('simulate')
    .description('maintain all hosts of a fleet file in virtual time and write what happens')
    .requiredOption('--fleet <file>', 'the fleet')
    .requiredOption('--trace <file>', 'where to write the trace, one event a line')
    .addOption(
      new Option('--strategy <name>', 'vnf: as many hosts at once as is safe; serial: one; batch: a tenth of them')
        .choices(strategies)
        .default('vnf'),
    )
    .action(async (options: SimulateOptions) => program.configureOutput().writeOut?.(await runSimulation(options)));
};
