/** The commands at the desk: those that speak to the API. */
import type { Command } from 'commander';
import { addControlCommands } from './commands/controls';
import { addCreateCommands } from './commands/create';
import { addEventCommand } from './commands/events';
import { addLookCommands } from './commands/sessions';
import type { Desk } from './desk';

export const addDeskCommands = (program: Command, desk: Desk): void => {
  program.commandsGroup('Look at sessions:');
  addLookCommands(program, desk);
  addEventCommand(program, desk);
  program.commandsGroup('Create and steer sessions:');
  addCreateCommands(program, desk);
  addControlCommands(program, desk);
};
