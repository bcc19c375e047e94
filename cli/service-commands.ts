/**
 * The commands of the service itself: they start it, or look into its database. Each is loaded only where it is asked
 * for, since all of them together load most of the service.
 */
import type { Command } from 'commander';

type AddCommand = (program: Command) => Promise<void>;

const commands: Readonly<Record<string, AddCommand>> = {
  async demo(program) {
    (await import('./demo.js')).addDemoCommand(program, process.env);
  },
  async up(program) {
    (await import('./up.js')).addUpCommand(program, process.env);
  },
  async fleet(program) {
    const { openServiceDatabase } = await import('./service-database.js');
    (await import('./fleet.js')).addFleetCommands(program, openServiceDatabase);
  },
  async simulate(program) {
    (await import('./simulate.js')).addSimulateCommand(program);
  },
  async trace(program) {
    const { openServiceDatabase } = await import('./service-database.js');
    (await import('./trace.js')).addTraceCommand(program, openServiceDatabase, process.env);
  },
};

export const isOfService = (name: string): boolean => Object.hasOwn(commands, name);

/** @param only a command's name; left out: all of them */
export const addServiceCommands = async (program: Command, only?: string): Promise<void> => {
  program.commandsGroup('Run the service, or look into it:');
  for (const [name, add] of Object.entries(commands)) if (only === undefined || name === only) await add(program);
};
