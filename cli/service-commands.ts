/**
 * The commands of the service itself: they start it, or look into its database. Each is loaded only where it is asked
 * for, since all of them together load most of the service. Its description is here, so that the help needs none.
 */
import type { Command } from 'commander';

interface ServiceCommand {
  readonly description: string;
  readonly add: (program: Command) => Promise<void>;
}

const commands: Readonly<Record<string, ServiceCommand>> = {
  demo: {
    description: 'run the service on a simulated fleet and maintain it, from start to 100 %',
    add: async (program) => (await import('./demo.js')).addDemoCommand(program, process.env),
  },
  up: {
    description: 'run the whole service here: PostgreSQL, Temporal, API and worker',
    add: async (program) => (await import('./up.js')).addUpCommand(program, process.env),
  },
  fleet: {
    description: 'the fleet of the simulated cloud',
    async add(program) {
      const { openServiceDatabase } = await import('./service-database.js');
      (await import('./fleet.js')).addFleetCommands(program, openServiceDatabase);
    },
  },
  simulate: {
    description: 'maintain all hosts of a fleet file in virtual time and write what happens',
    add: async (program) => (await import('./simulate.js')).addSimulateCommand(program),
  },
  trace: {
    description: 'write what a session did: questions, moves and maintenances, one event a line',
    async add(program) {
      const { openServiceDatabase } = await import('./service-database.js');
      (await import('./trace.js')).addTraceCommand(program, openServiceDatabase, process.env);
    },
  },
};

const heading = 'Run the service, or look into it:';

export const isOfService = (name: string): boolean => Object.hasOwn(commands, name);

export const addServiceCommand = async (program: Command, name: string): Promise<void> => {
  const command = commands[name];
  if (command === undefined) return;
  program.commandsGroup(heading);
  await command.add(program);
  program.commands.find((one) => one.name() === name)?.description(command.description);
};

/** Lists the commands for the help and for suggestions. None is loaded, and none can be run. */
export const listServiceCommands = (program: Command): void => {
  program.commandsGroup(heading);
  for (const [name, { description }] of Object.entries(commands)) program.command(name).description(description);
};
