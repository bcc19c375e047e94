/** The commands at the desk: those that speak to the API. */
import type { Command } from 'commander';
import { addCompletionCommands } from './commands/completion';
import { addConstraintCommands } from './commands/constraints';
import { addContextCommands } from './commands/context';
import { addControlCommands } from './commands/change-sessions';
import { addCreateCommands } from './commands/create';
import { addEventCommand } from './commands/events';
import { addExplainCommand } from './commands/explain';
import { addTenantCommands } from './commands/questions';
import { addLookCommands } from './commands/sessions';
import { addWatchCommand } from './commands/watch';
import { addWebhookCommands } from './commands/webhooks';
import type { Desk } from './command-tools';

export const addDeskCommands = (program: Command, desk: Desk): void => {
  program.commandsGroup('Look at sessions:');
  addLookCommands(program, desk);
  addWatchCommand(program, desk);
  addExplainCommand(program, desk);
  addEventCommand(program, desk);
  program.commandsGroup('Create and steer sessions:');
  addCreateCommands(program, desk);
  addControlCommands(program, desk);
  addWebhookCommands(program, desk);
  program.commandsGroup('For projects:');
  addTenantCommands(program, desk);
  addConstraintCommands(program, desk);
  program.commandsGroup('Settings of this command line:');
  addContextCommands(program, desk);
  addCompletionCommands(program, desk);
};
