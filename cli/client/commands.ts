/** The commands that speak to the API. */
import type { Command } from 'commander';
import type { CommandTools } from './command-tools';
import { addSessionChanges } from './commands/change-sessions';
import { addComingCommand } from './commands/coming';
import { addCompletionCommands } from './commands/completion';
import { addConstraintCommands } from './commands/constraints';
import { addContextCommands } from './commands/context';
import { addCreateCommands } from './commands/create';
import { addEventCommand } from './commands/events';
import { addExplainCommand } from './commands/explain';
import { addFreezeCommands } from './commands/freezes';
import { addTenantCommands } from './commands/questions';
import { addLookCommands } from './commands/sessions';
import { addTermsCommands } from './commands/terms';
import { addWatchCommand } from './commands/watch';
import { addWebhookCommands } from './commands/webhooks';

export const addClientCommands = (program: Command, tools: CommandTools): void => {
  program.commandsGroup('Look at sessions:');
  addLookCommands(program, tools);
  addWatchCommand(program, tools);
  addExplainCommand(program, tools);
  addEventCommand(program, tools);
  program.commandsGroup('Create and steer sessions:');
  addCreateCommands(program, tools);
  addSessionChanges(program, tools);
  addFreezeCommands(program, tools);
  addWebhookCommands(program, tools);
  program.commandsGroup('For projects:');
  addTenantCommands(program, tools);
  addComingCommand(program, tools);
  addConstraintCommands(program, tools);
  addTermsCommands(program, tools);
  program.commandsGroup('Settings of this command line:');
  addContextCommands(program, tools);
  addCompletionCommands(program, tools);
};
