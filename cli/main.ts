/**
 * The command line `parley`. Exit codes are in desk/exit.ts. The commands of the service itself are loaded only where
 * they are asked for: those that speak to the API begin at once.
 */
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { Command } from 'commander';
import { addDeskCommands } from './desk/commands';
import { processConsole } from './desk/console';
import { createDesk } from './desk/desk';
import { endOf, letUsEnd } from './desk/exit';
import { packageRoot } from './package-root';

const parseVersion = (packageJson: string): string => (JSON.parse(packageJson) as { version: string }).version;

const hint = `
Start with: parley list, parley plan --help, parley watch
The commands that speak to the API find it by PARLEY_URL, PARLEY_TOKEN or the OS_* variables (docs/command-line.md).
The service reads its settings from the environment: docs/settings.md and .env.example list them.`;

/** The commands of the service stop in their own way. */
const stopAtInterrupt = (isOfService: boolean): AbortSignal => {
  const told = new AbortController();
  if (isOfService) return told.signal;
  process.once('SIGINT', () => told.abort(new Error('interrupted')));
  process.stdout.on('error', () => told.abort(new Error('nobody reads')));
  return told.signal;
};

const serviceCommands = ['demo', 'up', 'fleet', 'simulate', 'trace'];

/** True for the commands of the service; those that call the API need nothing of it. */
const needsService = (program: Command, [first = 'help', second]: readonly string[]): boolean => {
  const named = first === 'help' && second !== undefined ? second : first;
  return !program.commands.some((one) => one.name() === named);
};

const main = async (args: readonly string[]): Promise<void> => {
  const program = new Command('parley').description('rolling maintenance of hosts, agreed with their projects');
  program.version(parseVersion(readFileSync(path.join(packageRoot, 'package.json'), 'utf8')));
  program.addHelpText('after', hint).showSuggestionAfterError();
  const isOfService = serviceCommands.includes(args[0] ?? '');
  const stop = stopAtInterrupt(isOfService);
  try {
    addDeskCommands(program, createDesk(processConsole(stop)));
    if (isOfService || needsService(program, args)) (await import('./service-commands.js')).addServiceCommands(program);
    letUsEnd(program);
    await program.parseAsync(args, { from: 'user' });
  } catch (error) {
    const { exitCode, lines } = endOf(error, stop);
    for (const line of lines) process.stderr.write(`${line}\n`);
    process.exitCode = exitCode;
  }
};

void main(process.argv.slice(2));
